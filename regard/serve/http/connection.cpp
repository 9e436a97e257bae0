#include "regard/serve/http/connection.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <utility>

#include "regard/base/log.h"

namespace regard {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t kMaxWaitingBytes = 64 << 10;  // of requests sent ahead of their turn
constexpr Index kMaxDiscardedBytes = 32 << 20;
constexpr double kLingerSeconds = 5, kDrainingLingerSeconds = 0.5;
constexpr double kSlowestBytesPerSecond = 256 * 1024;  // beyond write_seconds, for long answers
constexpr int kReadsPerTurn = 4;                       // then it is another connection's turn
constexpr std::chrono::milliseconds kAskAfter{250};    // most answers are sooner
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

Connection::Clock::time_point after(double seconds) {
  return Connection::Clock::now() + std::chrono::duration_cast<Connection::Clock::duration>(
                                        std::chrono::duration<double>(seconds));
}

/// An answer on its way from any thread to the connection, if both still live.
struct Ticket {
  std::shared_ptr<ConnectionManager> manager;  // keeps `io` for the post below
  std::weak_ptr<Connection> connection;
  std::uint64_t number;
  std::atomic<bool> used{false};
};

}  // namespace

Connection::Connection(ConnectionManager& manager, tcp::socket socket, Peer peer)
    : manager_(manager),
      socket_(std::move(socket)),
      peer_(std::move(peer)),
      reader_(manager.spec.body_bytes) {}

void Connection::start() {
  error_code ignored;
  socket_.non_blocking(true, ignored);
  socket_.set_option(tcp::no_delay(true), ignored);
  since_ = Clock::now();
  deadline_ = after(manager_.spec.header_seconds);
  wait();
}

void Connection::wait() {
  if (waits_ || ended_ || at_ == At::closed) return;
  if (at_ != At::lingering && inbox_.size() >= kMaxWaitingBytes) return;
  waits_ = true;
  socket_.async_wait(tcp::socket::wait_read, [self = shared_from_this()](error_code) {
    self->waits_ = false;
    if (self->at_ != At::closed) self->guarded(&Connection::readable);
  });
}

void Connection::guarded(void (Connection::*act)()) {
  try {
    (this->*act)();
  } catch (const std::exception& error) {  // out of memory, most likely: this client's loss only
    warn("a connection ends: ", quoted(error.what()));
    close();
  }
}

/// Takes what has arrived; false if the client is gone.
bool Connection::receive() {
  for (int turn = 0; turn < kReadsPerTurn && !ended_; ++turn) {
    error_code error;
    const std::size_t count = socket_.read_some(asio::buffer(manager_.scratch), error);
    if (error == asio::error::would_block || error == asio::error::interrupted) break;
    if (error == asio::error::eof)
      ended_ = true;
    else if (error)
      return false;
    else if (at_ == At::lingering)
      discarded_ += static_cast<Index>(count);
    else
      inbox_.append(manager_.scratch.data(), count);
    if (at_ != At::lingering && inbox_.size() >= kMaxWaitingBytes) break;
  }
  return at_ != At::lingering || (!ended_ && discarded_ <= kMaxDiscardedBytes);
}

void Connection::readable() {
  if (!receive()) return close();
  if (at_ == At::reading) advance();
  wait();
}

/// Reads on in the inbox, as far as the request at hand.
void Connection::advance() {
  using Reading = RequestReader::At;
  const Reading before = reader_.at();
  Reading now = reader_.feed(inbox_);
  if (ended_) now = reader_.end();
  hold(reader_.body_bytes());
  if ((now == Reading::body || now == Reading::whole) && manager_.held > manager_.spec.held_bytes)
    return send_own(refusal_response({503, "too many requests at once"}),
                    {.body_left_out = reader_.head().body_left_out, .close = true});
  if (now == Reading::head && before == Reading::start && answered_ > 0)
    deadline_ = after(manager_.spec.header_seconds);
  switch (now) {
    case Reading::start:
      if (ended_ || manager_.draining()) close();
      return;
    case Reading::head:
      return;
    case Reading::body:
      if (before != Reading::body) expect_body();
      return;
    case Reading::whole:
      return hand_over();
    case Reading::refused:
      return send_own(refusal_response(reader_.refusal()),
                      {.body_left_out = reader_.head().body_left_out, .close = true});
  }
}

void Connection::hold(Index bytes) {
  manager_.held += bytes - std::exchange(held_, bytes);
}

void Connection::expect_body() {
  deadline_ = after(manager_.spec.body_seconds);
  if (reader_.head().awaits_continue && !send_now(kContinue)) close();
}

void Connection::hand_over() {
  at_ = At::working;
  asked_ = false;
  since_ = Clock::now();
  deadline_ = after(manager_.spec.request_seconds);
  cancel_ = std::make_shared<CancelToken>();
  hold(0);
  const std::shared_ptr<Ticket> ticket(
      new Ticket{manager_.shared_from_this(), weak_from_this(), ticket_});
  const Respond respond = [ticket](HttpResponse response) {
    if (ticket->used.exchange(true)) return;
    asio::post(ticket->manager->io, [to = ticket->connection, number = ticket->number,
                                     response = std::move(response)]() mutable {
      if (const auto connection = to.lock()) connection->answer(number, std::move(response));
    });
  };
  HttpRequest request = reader_.take();
  request.peer = peer_.address;
  in_flight_ = {.method = request.method,
                .path = request.path,
                .headers = request.headers,
                .peer = request.peer};
  try {
    manager_.handler(std::move(request), cancel_, respond);
  } catch (const std::exception& error) {
    respond(internal_error(error.what()));
  } catch (...) {
    respond(internal_error("an exception of unknown type"));
  }
}

void Connection::answer(std::uint64_t ticket, HttpResponse response) {
  if (at_ != At::working || ticket != ticket_) return;
  send(std::move(response), {.body_left_out = reader_.head().body_left_out,
                             .close = reader_.head().close || manager_.draining()});
}

void Connection::send(HttpResponse response, ResponseForm form) {
  at_ = At::writing;
  ++ticket_;
  cancel_.reset();
  close_after_ = form.close;
  response_ = response_bytes(std::move(response), form);
  hold(static_cast<Index>(response_.body.size()));
  deadline_ = after(manager_.spec.write_seconds +
                    static_cast<double>(response_.body.size()) / kSlowestBytesPerSecond);
  const std::array buffers = {asio::buffer(response_.head), asio::buffer(response_.body)};
  asio::async_write(socket_, buffers, [self = shared_from_this()](error_code error, std::size_t) {
    if (self->at_ == At::closed) return;
    self->guarded(error ? &Connection::close : &Connection::sent);
  });
}

/// Sends what the handler did not say.
void Connection::send_own(HttpResponse response, ResponseForm form) {
  if (manager_.own_response && at_ == At::working) {
    const std::chrono::duration<double> worked = Clock::now() - since_;
    manager_.own_response(in_flight_, worked.count(), response);
  } else if (manager_.own_response) {
    HttpRequest known = reader_.head().request;
    known.peer = peer_.address;
    manager_.own_response(known, 0, response);
  }
  send(std::move(response), form);
}

void Connection::sent() {
  response_ = {};
  hold(0);
  ++answered_;
  if (close_after_) return linger();
  at_ = At::reading;
  reader_ = RequestReader(manager_.spec.body_bytes);
  if (inbox_.empty()) inbox_.shrink_to_fit();
  since_ = Clock::now();
  deadline_ = after(manager_.spec.idle_seconds);
  advance();
  wait();
}

/// Ends our side and waits for the client to end its own, throwing away what it still sends: a
/// socket closed over unread bytes resets, and the client would lose the answer.
void Connection::linger() {
  at_ = At::lingering;
  inbox_ = {};
  error_code error;
  socket_.shutdown(tcp::socket::shutdown_send, error);
  if (ended_ || error) return close();
  deadline_ = after(manager_.draining() ? kDrainingLingerSeconds : kLingerSeconds);
  wait();
}

void Connection::close() {
  if (at_ == At::closed) return;
  at_ = At::closed;
  if (cancel_) cancel_->cancel();
  cancel_.reset();
  hold(0);
  error_code ignored;
  socket_.close(ignored);
  manager_.leave(*this);
}

void Connection::drain() {
  if (at_ == At::lingering)
    deadline_ = std::min(deadline_, after(kDrainingLingerSeconds));
  else if (at_ == At::reading)
    guarded(&Connection::readable);  // a request may have arrived that was not looked at yet
}

void Connection::tick(Clock::time_point now) {
  if (at_ == At::working && ended_) guarded(&Connection::ask_whether_gone);
  if (at_ != At::closed && now >= deadline_) guarded(&Connection::time_out);
}

void Connection::time_out() {
  using Reading = RequestReader::At;
  if (at_ == At::working) {
    cancel_->cancel();
    return send_own(error_response(504, "the request took too long"),
                    {.body_left_out = reader_.head().body_left_out,
                     .close = reader_.head().close || manager_.draining()});
  }
  if (at_ != At::reading || reader_.at() == Reading::start) return close();
  send_own(error_response(408, "the request did not arrive in time"), {.close = true});
}

/// A client that only ended its side still waits for the answer; one that closed does not, and
/// until something is sent the two look alike. An interim response is what may be sent.
void Connection::ask_whether_gone() {
  if (reader_.head().old || Clock::now() < since_ + kAskAfter) return;
  if (!asked_) {
    asked_ = true;
    if (!send_now(kContinue)) close();
    return;
  }
  int error = 0;
  socklen_t size = sizeof error;
  if (getsockopt(socket_.native_handle(), SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error != 0)
    close();
}

bool Connection::send_now(std::string_view bytes) {
  error_code error;
  return socket_.write_some(asio::buffer(bytes), error) == bytes.size() && !error;
}

std::optional<Connection::Clock::time_point> Connection::waiting_since() const {
  using Reading = RequestReader::At;
  if (at_ != At::reading || reader_.at() == Reading::body) return std::nullopt;
  return since_;
}

}  // namespace regard

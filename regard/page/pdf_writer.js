// The frame of a PDF file: numbered objects, streams, and the table of where each begins.

/** Bytes, or a text, as Flate has them. */
export async function packed(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The file: numbered objects, and where each begins. */
export class PdfWriter {
  constructor() {
    this.parts = [];
    this.size = 0;
    this.places = [];
    this.add('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n');
  }
  add(part) {
    const bytes =
        typeof part === 'string' ? Uint8Array.from(part, (letter) => letter.charCodeAt(0)) : part;
    this.parts.push(bytes);
    this.size += bytes.length;
  }
  object(text, stream = null) {
    this.places.push(this.size);
    this.add(`${this.places.length} 0 obj\n`);
    if (stream) {
      this.add(`<< ${text} /Length ${stream.length} >>\nstream\n`);
      this.add(stream);
      this.add('\nendstream\nendobj\n');
    } else {
      this.add(`<< ${text} >>\nendobj\n`);
    }
    return `${this.places.length} 0 R`;
  }
  async image({width, height}, bytes, space, more = '') {
    return this.object(
        `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /${
            space} /BitsPerComponent 8 /Filter /FlateDecode${more}`,
        await packed(bytes));
  }
  end(root, info) {
    const start = this.size, count = this.places.length + 1;
    this.add(
        `xref\n0 ${count}\n0000000000 65535 f \n` +
        this.places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join(''));
    this.add(
        `trailer\n<< /Size ${count} /Root ${root} /Info ${info} >>\nstartxref\n${start}\n%%EOF\n`);
    return new Blob(this.parts, {type: 'application/pdf'});
  }
}

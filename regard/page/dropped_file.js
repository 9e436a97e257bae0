// A file that is dropped on an element, or chosen.

const megabyte = 1e6;

/** Why a file cannot be taken; '': it can. */
function obstacle({name, type, size}, {types, ending, called, largest, remedy}) {
  if (!type.startsWith(types) && !ending.test(name)) return `${name} is not ${called}.`;
  if (size > largest) return `${name} is larger than ${Math.floor(largest / megabyte)} MB. ${remedy}`;
  return '';
}

export const textFiles = {
  types: 'text/',
  ending: /\.txt$/i,
  called: 'a text file',
  largest: 10 * megabyte,  // its translation is kept whole, and shown
  remedy: 'Cut it into smaller files.',
  content: (file) => file.text(),
};

export const pictureFiles = {
  types: 'image/png',
  ending: /\.png$/i,
  called: 'a PNG file',
  largest: 1 << 20,  // what the server reads of a request
  remedy: 'Make it smaller; the model reads few of its pixels.',
  content: (file) => file.arrayBuffer(),
};

/**
 * What takes a file: its content goes to read(name, content), and why there is none to
 * refused(reason); to neither once the signal is aborted. files: textFiles or pictureFiles.
 */
export function taker({files, read, refused, signal}) {
  return async (file) => {
    const reason = obstacle(file, files);
    if (reason) return refused(reason);
    // It may be gone, or not ours to read.
    const content = await files.content(file).catch(() => null);
    if (signal.aborted) return;
    if (content === null)
      refused(`${file.name} cannot be read.`);
    else
      read(file.name, content);
  };
}

/** Lets take(file) have what is dropped on an element. */
export function takesFiles(element, take) {
  const over = (on) => element.classList.toggle('dropping', on);
  const carries = (event) => [...event.dataTransfer.types].includes('Files');
  element.addEventListener('dragover', (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    over(true);
  });
  element.addEventListener('dragleave', () => over(false));
  element.addEventListener('drop', (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    over(false);
    const [file] = event.dataTransfer.files;
    if (file) take(file);
  });
}

// A text file that is dropped on an element.

const largest = 10;  // megabytes: its translation is kept whole, and shown

/** Why a file cannot be taken; '': it can. */
function obstacle({name, type, size}) {
  if (!type.startsWith('text/') && !/\.txt$/i.test(name)) return `${name} is not a text file.`;
  if (size > largest * 1e6) return `${name} is larger than ${largest} MB. Cut it into smaller files.`;
  return '';
}

/**
 * The text of a file goes to read(name, text), and why there is none to refused(reason); to neither
 * once the signal is aborted.
 */
export function takesFiles(element, {read, refused, signal}) {
  const over = (on) => element.classList.toggle('dropping', on);
  const carries = (event) => [...event.dataTransfer.types].includes('Files');
  const take = async (file) => {
    const reason = obstacle(file);
    if (reason) return refused(reason);
    const text = await file.text().catch(() => null);  // it may be gone, or not ours to read
    if (signal.aborted) return;
    if (text === null)
      refused(`${file.name} cannot be read.`);
    else
      read(file.name, text);
  };
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

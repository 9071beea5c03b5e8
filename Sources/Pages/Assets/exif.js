// The capture time of a JPEG (EXIF DateTimeOriginal, 0x9003) as a datetime-local value; undefined if there is none.
// Only for an immediate preview: the server reads dates from more places.

export async function captureTime(file) {
  try {
    const view = new DataView(await file.slice(0, 262144).arrayBuffer());
    if (view.getUint16(0) !== 0xffd8) return undefined;
    for (let at = 2; at < view.byteLength - 12; at += 2 + view.getUint16(at + 2)) {
      if (view.getUint8(at) !== 0xff) return undefined;
      // An APP1 segment that begins with "Exif".
      if (view.getUint16(at) === 0xffe1 && view.getUint32(at + 4) === 0x45786966) return original(view, at + 10);
    }
  } catch {
    // Truncated, or not EXIF after all.
  }
  return undefined;
}

function original(view, start) {
  const little = view.getUint16(start) === 0x4949;
  const find = (directory, tag) => {
    const count = view.getUint16(directory, little);
    for (let entry = directory + 2; entry < directory + 2 + count * 12; entry += 12) {
      if (view.getUint16(entry, little) === tag) return view.getUint32(entry + 8, little);
    }
    return undefined;
  };
  const exif = find(start + view.getUint32(start + 4, little), 0x8769);
  const text = exif && find(start + exif, 0x9003);
  if (!text) return undefined;
  const bytes = Array.from({ length: 19 }, (_, index) => view.getUint8(start + text + index));
  const parts = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)$/.exec(String.fromCharCode(...bytes));
  return parts && Number(parts[1]) > 1900 ? `${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}` : undefined;
}

// The date in a file's name, such as IMG_20260301_093000.jpg; undefined if there is none.
export function nameTime(name) {
  const parts = /(?<!\d)((?:19|20)\d\d)-?(0[1-9]|1[0-2])-?([0-3]\d)[ _T-]([01]\d|2[0-3])[.:-]?([0-5]\d)[.:-]?([0-5]\d)(?!\d)/.exec(name)?.slice(1);
  return parts && `${parts.slice(0, 3).join("-")}T${parts.slice(3).join(":")}`;
}

// When the file was last changed, by the clock of this device.
export const fileTime = ({ lastModified }) => new Date(lastModified - new Date(lastModified).getTimezoneOffset() * 60000).toISOString().slice(0, 19);

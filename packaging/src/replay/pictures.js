// Pictures of the scene as files: one, or all of them in an archive.

// The scene with its arrows and the time, as a PNG.
function pictureOf(scene, overlay, text) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [scene.width, scene.height];
  const context = canvas.getContext("2d"), size = Math.round(canvas.width / 60);
  context.drawImage(scene, 0, 0);
  context.drawImage(overlay, 0, 0, canvas.width, canvas.height);
  context.font = `600 ${size}px system-ui, sans-serif`;
  context.fillStyle = "#1d2733";
  context.fillText(text, size, 2 * size);
  return bytesOf(canvas.toDataURL("image/png").split(",")[1]);
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let word = byte;
  for (let k = 0; k < 8; k++) word = word & 1 ? 0xedb88320 ^ (word >>> 1) : word >>> 1;
  return word;
});

function crc32(bytes) {
  let word = 0xffffffff;
  for (const byte of bytes) word = CRC_TABLE[(word ^ byte) & 255] ^ (word >>> 8);
  return (word ^ 0xffffffff) >>> 0;
}

// A ZIP archive of files as they are: PNG cannot be made smaller.
function zipOf(files) {
  const parts = [], directory = [];
  let offset = 0;
  const numbers = (list) => {
    const view = new DataView(new ArrayBuffer(list.reduce((sum, [size]) => sum + size, 0)));
    let at = 0;
    for (const [size, value] of list) {
      if (size === 2) view.setUint16(at, value, true); else view.setUint32(at, value, true);
      at += size;
    }
    return new Uint8Array(view.buffer);
  };
  for (const { name, bytes } of files) {
    const text = new TextEncoder().encode(name), sum = crc32(bytes);
    // Version, flags (UTF-8), stored, 1980-01-01, checksum, sizes.
    const common = [[2, 20], [2, 0x800], [2, 0], [2, 0], [2, 33], [4, sum], [4, bytes.length], [4, bytes.length], [2, text.length], [2, 0]];
    parts.push(numbers([[4, 0x04034b50], ...common]), text, bytes);
    directory.push(numbers([[4, 0x02014b50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]]), text);
    offset += 30 + text.length + bytes.length;
  }
  const length = directory.reduce((sum, part) => sum + part.length, 0);
  const end = numbers([[4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, length], [4, offset], [2, 0]]);
  const archive = new Uint8Array(offset + length + end.length);
  let at = 0;
  for (const part of [...parts, ...directory, end]) {
    archive.set(part, at);
    at += part.length;
  }
  return archive;
}

function save(bytes, type, name) {
  const blob = new Blob([bytes], { type }), link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

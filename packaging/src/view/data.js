// What the page shows: numbers and patches of all poses, and the meshes.

const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

function readData(text) {
  const data = JSON.parse(text);
  data.numbers = new Float64Array(bytesOf(data.numbers).buffer);
  data.corners = new Uint16Array(bytesOf(data.corners).buffer);
  data.polygonSizes = bytesOf(data.polygonSizes);
  data.polygonCounts = new Uint32Array(bytesOf(data.polygonCounts).buffer);
  for (const mesh of data.meshes) {
    mesh.vertices = new Float32Array(bytesOf(mesh.vertices).buffer);
    mesh.faces = new Uint32Array(bytesOf(mesh.faces).buffer);
  }
  findPatches(data);
  return data;
}

// Where the polygons and corners of each pose begin.
function findPatches(data) {
  data.firstPolygon = [0];
  data.firstCorner = [0];
  let polygon = 0, corner = 0;
  for (const count of data.polygonCounts) {
    for (const end = polygon + count; polygon < end; polygon++) corner += data.polygonSizes[polygon];
    data.firstPolygon.push(polygon);
    data.firstCorner.push(corner);
  }
}

// The numbers of one pose by name.
function sampleOf(data, depth, position) {
  const index = position * data.depths.length + depth;
  const width = data.numberNames.length;
  const sample = { index };
  data.numberNames.forEach((name, k) => { sample[name] = data.numbers[index * width + k]; });
  sample.force = [sample.forceX, sample.forceY, sample.forceZ];
  sample.torque = [sample.torqueX, sample.torqueY, sample.torqueZ];
  sample.place = [sample.positionX, sample.positionY, sample.positionZ];
  sample.size = Math.hypot(...sample.force);
  return sample;
}

// The patches of one pose: triangles and outlines as x, y, z, pressure in Pa.
function patchesOf(data, sample) {
  const triangles = [], outlines = [];
  let corner = data.firstCorner[sample.index];
  const at = (k) => {
    const c = data.corners, i = 4 * k;
    return [
      sample.originX + sample.sizeX * c[i] / 65535,
      sample.originY + sample.sizeY * c[i + 1] / 65535,
      sample.originZ + sample.sizeZ * c[i + 2] / 65535,
      sample.topPressure * c[i + 3] / 65535,
    ];
  };
  for (let p = data.firstPolygon[sample.index]; p < data.firstPolygon[sample.index + 1]; p++) {
    const size = data.polygonSizes[p];
    const points = Array.from({ length: size }, (_, k) => at(corner + k));
    for (let k = 2; k < size; k++) triangles.push(...points[0], ...points[k - 1], ...points[k]);
    points.forEach((point, k) => outlines.push(...point, ...points[(k + 1) % size]));
    corner += size;
  }
  return { triangles: new Float32Array(triangles), outlines: new Float32Array(outlines) };
}

// 3 or 4 significant digits with a prefix of thousands: 1234 N is 1.234 kN.
function withUnit(value, unit, power = 1) {
  if (!Number.isFinite(value)) return "–";
  // Below the smallest prefix there is only rounding.
  if (Math.abs(value) < 0.5e-3 * 10 ** (-12 * power)) return `0 ${unit}`;
  const prefixes = { "-4": "p", "-3": "n", "-2": "µ", "-1": "m", 0: "", 1: "k", 2: "M", 3: "G", 4: "T" };
  const thousands = Math.max(-4, Math.min(4, Math.floor(Math.log10(Math.abs(value)) / (3 * power) + 1e-9)));
  const scaled = value / 10 ** (3 * power * thousands);
  const digits = Math.max(0, 3 - Math.max(0, Math.floor(Math.log10(Math.abs(scaled)))));
  return `${scaled.toFixed(Math.min(digits, 3))} ${prefixes[thousands]}${unit}`.replace("-", "−");
}

// Several values in one unit, small ones against `scale` as 0: (0, 0, 3.858) kN.
function listWithUnit(values, unit, scale) {
  const largest = Math.max(...values.map(Math.abs));
  if (!(largest > 1e-9 * scale)) return `(0, 0, 0) ${unit}`;
  const [top, name] = withUnit(largest, unit).split(" ");
  const factor = +top / largest;
  const digits = (top.split(".")[1] || "").length;
  const texts = values.map((x) => (Math.abs(x * factor) < 0.5 * 10 ** -digits ? "0" : (x * factor).toFixed(digits).replace("-", "−")));
  return `(${texts.join(", ")}) ${name}`;
}

// From dark blue over teal and green to yellow: light grows with pressure, also without colours.
const RAMP = [[0.15, 0.10, 0.35], [0.17, 0.32, 0.55], [0.10, 0.52, 0.55], [0.28, 0.70, 0.42], [0.72, 0.83, 0.20], [0.99, 0.93, 0.30]];

function rampColour(part) {
  const x = Math.max(0, Math.min(1, part)) * (RAMP.length - 1);
  const k = Math.min(RAMP.length - 2, Math.floor(x));
  return RAMP[k].map((low, channel) => low + (x - k) * (RAMP[k + 1][channel] - low));
}

// The curve over depth: the chosen position, the others faint, and the current point.

const QUANTITIES = [
  { name: "force", of: (s) => s.size, unit: "N" },
  { name: "contact area", of: (s) => s.area, unit: "m²", power: 2 },
  { name: "largest pressure", of: (s) => s.maxPressure, unit: "Pa" },
  { name: "torque on E", of: (s) => Math.hypot(...s.torque), unit: "N·m" },
  { name: "elastic energy", of: (s) => s.energy, unit: "J" },
];

// Round numbers from 0 to at least a value, about four steps.
function ticks(top) {
  if (!(top > 0)) return [0, 1];
  const raw = top / 4, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((x) => x * power).find((x) => x >= raw * 0.999);
  const list = [];
  for (let k = 0; (k - 1) * step < top * 0.999; k++) list.push(k * step);
  return list;
}

class Chart {
  constructor(canvas, data, choose) {
    this.canvas = canvas;
    this.data = data;
    const pick = (event) => {
      if (event.type === "pointermove" && !event.buttons) return;
      const box = canvas.getBoundingClientRect(), frame = this.frame;
      if (!frame) return;
      const part = (event.clientX - box.left - frame.left) / (frame.right - frame.left);
      const depth = part * frame.most, depths = data.depths;
      choose(depths.reduce((best, d, k) => (Math.abs(d - depth) < Math.abs(depths[best] - depth) ? k : best), 0));
    };
    canvas.addEventListener("pointerdown", pick);
    canvas.addEventListener("pointermove", pick);
  }
  draw(depthIndex, position, quantity) {
    const { canvas, data } = this, ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.font = "12px system-ui, sans-serif";
    const curves = data.positions.map((_, p) => data.depths.map((_, d) => quantity.of(sampleOf(data, d, p))));
    const most = data.depths[data.depths.length - 1];
    const xs = ticks(most).filter((depth) => depth <= most * 1.001), ys = ticks(Math.max(...curves.flat()));
    const label = (value, unit, power) => withUnit(value, unit, power).replace(/\.0+ /, " ").replace(/(\.\d*?)0+ /, "$1 ");
    const yLabels = ys.map((y) => label(y, quantity.unit, quantity.power));
    const left = 10 + Math.max(...yLabels.map((text) => context.measureText(text).width));
    const right = width - 14, top = 10, bottom = height - 38;
    const high = ys[ys.length - 1];
    this.frame = { left, right, most };
    const x = (depth) => left + (right - left) * depth / most, y = (value) => bottom - (bottom - top) * value / high;
    context.strokeStyle = "#e3e8ed";
    context.fillStyle = "#5d6b7a";
    context.textBaseline = "middle";
    context.textAlign = "right";
    ys.forEach((value, k) => {
      context.beginPath(); context.moveTo(left, y(value)); context.lineTo(right, y(value)); context.stroke();
      context.fillText(yLabels[k], left - 6, y(value));
    });
    let taken = 0;
    xs.forEach((depth, k) => {
      context.beginPath(); context.moveTo(x(depth), bottom); context.lineTo(x(depth), bottom + 4); context.stroke();
      const text = label(depth, "m");
      context.textAlign = k === 0 ? "left" : x(depth) > right - 20 ? "right" : "center";
      const wide = context.measureText(text).width;
      const start = x(depth) - wide * { left: 0, center: 0.5, right: 1 }[context.textAlign];
      if (k > 0 && start < taken + 8) return;
      taken = start + wide;
      context.fillText(text, x(depth), bottom + 14);
    });
    context.textAlign = "right";
    context.fillText("depth along the approach", right, bottom + 30);
    const line = (values, colour, thickness) => {
      context.beginPath();
      values.forEach((value, k) => context[k ? "lineTo" : "moveTo"](x(data.depths[k]), y(value)));
      context.strokeStyle = colour;
      context.lineWidth = thickness;
      context.stroke();
    };
    curves.forEach((values, p) => { if (p !== position) line(values, "#c4d3da", 1); });
    line(curves[position], "#0f6e84", 2.2);
    const here = [x(data.depths[depthIndex]), y(curves[position][depthIndex])];
    context.setLineDash([3, 3]);
    context.lineWidth = 1;
    context.strokeStyle = "#8fa3ae";
    context.beginPath(); context.moveTo(here[0], bottom); context.lineTo(...here); context.lineTo(left, here[1]); context.stroke();
    context.setLineDash([]);
    context.beginPath(); context.arc(...here, 5, 0, 2 * Math.PI);
    context.fillStyle = "#0f6e84"; context.fill();
    context.strokeStyle = "#fff"; context.lineWidth = 1.5; context.stroke();
  }
}

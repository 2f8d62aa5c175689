// A plot of one quantity over time, with a cursor.

// Round numbers between two values, about `count` of them.
function roundNumbers(low, high, count) {
  const raw = (high - low) / count, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((x) => x * power).find((x) => x >= raw * 0.999);
  const list = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) list.push(k * step);
  return list;
}

const shortText = (value, unit) => withUnit(value, unit).replace(/(\.\d*?)0+ /, "$1 ").replace(/\. /, " ").trim();

// The prefix of thousands does not fit powers of a unit, such as m².
const powerOf = (unit) => (unit.endsWith("²") ? 2 : unit.endsWith("³") ? 3 : 1);

class TimeChart {
  // `values` has one number per time; `choose` is called with a time.
  constructor(canvas, times, choose) {
    this.canvas = canvas;
    this.times = times;
    const pick = (event) => {
      if (event.type === "pointermove" && !event.buttons) return;
      const box = canvas.getBoundingClientRect(), { left, right } = this.frame;
      const part = Math.max(0, Math.min(1, (event.clientX - box.left - left) / (right - left)));
      choose(times[0] + part * (times[times.length - 1] - times[0]));
    };
    canvas.addEventListener("pointerdown", pick);
    canvas.addEventListener("pointermove", pick);
  }
  draw(values, unit, here) {
    const { canvas, times } = this, ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.font = "11px system-ui, sans-serif";
    let low = Infinity, high = -Infinity;
    for (const value of values) { low = Math.min(low, value); high = Math.max(high, value); }
    // A quantity that begins near zero is shown from zero on.
    if (low > 0 && low < 0.4 * high) low = 0;
    if (high < 0 && high > 0.4 * low) high = 0;
    if (!(high - low > 1e-12 * Math.max(Math.abs(low), Math.abs(high)))) [low, high] = [low - (Math.abs(low) || 1), high + (Math.abs(high) || 1)];
    const ys = roundNumbers(low, high, 4), power = powerOf(unit);
    const text = (value) => (Math.abs(value) < 1e-9 * (high - low) ? "0" : power === 1 ? shortText(value, unit) : `${+value.toPrecision(3)} ${unit}`);
    const labels = ys.map(text);
    const left = 8 + Math.max(...labels.map((label) => context.measureText(label).width));
    const right = width - 10, top = 8, bottom = height - 20;
    this.frame = { left, right };
    const first = times[0], last = times[times.length - 1], span = last - first || 1;
    const x = (time) => left + (right - left) * (time - first) / span;
    const y = (value) => bottom - (bottom - top) * (value - low) / (high - low);
    context.strokeStyle = "#e3e8ed";
    context.fillStyle = "#5d6b7a";
    context.textBaseline = "middle";
    context.textAlign = "right";
    ys.forEach((value, k) => {
      context.beginPath(); context.moveTo(left, y(value)); context.lineTo(right, y(value)); context.stroke();
      context.fillText(labels[k], left - 5, y(value));
    });
    context.textAlign = "center";
    for (const time of roundNumbers(first, last > first ? last : first + 1, 5)) {
      if (x(time) > right + 1) continue;
      const label = Math.abs(time) < 1e-9 * span ? "0" : shortText(time, "s");
      const half = context.measureText(label).width / 2;
      context.fillText(label, Math.max(left + half - 6, Math.min(right + 8 - half, x(time))), bottom + 12);
    }
    context.beginPath();
    for (let k = 0; k < values.length; k++) context[k ? "lineTo" : "moveTo"](x(times[k]), y(values[k]));
    context.strokeStyle = "#0f6e84";
    context.lineWidth = 1.6;
    context.lineJoin = "round";
    context.stroke();
    context.strokeStyle = "#b34a0c";
    context.lineWidth = 1;
    context.beginPath(); context.moveTo(x(times[here]), top); context.lineTo(x(times[here]), bottom); context.stroke();
    context.beginPath(); context.arc(x(times[here]), y(values[here]), 3.5, 0, 2 * Math.PI);
    context.fillStyle = "#b34a0c"; context.fill();
    return text(values[here]);
  }
}

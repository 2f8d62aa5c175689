// Puts the page of a recording together: time, scene, numbers, plots.

// Most pictures in an archive: of longer recordings every second, third and so on.
const MOST_PICTURES = 400;

function readRecording(text) {
  const data = JSON.parse(text), of = (Kind, base64) => new Kind(bytesOf(base64).buffer);
  data.times = of(Float64Array, data.times);
  data.shown = of(Uint32Array, data.shown);
  data.numbers = of(Float32Array, data.numbers);
  for (const key of ["poses", "arrows", "bounds"]) data[key] = of(Float32Array, data[key]);
  data.corners = of(Uint16Array, data.corners);
  data.polygonSizes = bytesOf(data.polygonSizes);
  data.polygonCounts = of(Uint32Array, data.polygonCounts);
  for (const mesh of data.meshes) {
    mesh.vertices = of(Float32Array, mesh.vertices);
    mesh.faces = of(Uint32Array, mesh.faces);
  }
  findPatches(data);
  const count = data.times.length;
  for (const column of data.columns) {
    column.values = "place" in column ? data.numbers.subarray(column.place * count, (column.place + 1) * count) : new Float32Array(count).fill(column.constant);
  }
  return data;
}

// What can be plotted: sizes of vectors first, then every column.
function quantitiesOf(columns) {
  const byName = new Map(columns.map((column) => [column.name, column]));
  const sizes = [];
  for (const { name, unit } of columns) {
    if (!name.endsWith("[1]")) continue;
    const base = name.slice(0, -3), parts = [1, 2, 3].map((k) => byName.get(`${base}[${k}]`));
    if (!parts.every(Boolean) || byName.has(`${base}[4]`)) continue;
    const values = parts[0].values.map((_, k) => Math.hypot(...parts.map((part) => part.values[k])));
    sizes.push({ name: `|${base}|`, unit, values });
  }
  return [...sizes, ...columns];
}

function start() {
  const data = readRecording(element("data").textContent);
  const wishes = new URLSearchParams(location.hash.slice(1));
  const quantities = quantitiesOf(data.columns), named = (name) => quantities.find((quantity) => quantity.name === name);
  const count = data.shown.length, timeOf = (k) => data.times[data.shown[k]];
  const duration = timeOf(count - 1) - timeOf(0);
  const forces = named("|forceOnE|"), mostForce = forces ? Math.max(...forces.values) : 0;
  let mostPressure = 0;
  for (let k = 0; k < count; k++) mostPressure = Math.max(mostPressure, data.bounds[8 * k + 7]);
  // The strongest moment tells most about a recording.
  let strongest = 0;
  if (forces) data.shown.forEach((frame, k) => { if (forces.values[frame] > forces.values[data.shown[strongest]]) strongest = k; });
  const state = { frame: 0, playing: false, clock: 0 };

  const boxes = data.meshes.length === 2 ? data.meshes.map(boxOf) : [0, 1].map(() => ({ centre: [0, 0, 0], radius: 0.1 }));
  const hasBodies = data.meshes.length === 2;
  if (!hasBodies) data.meshes = [0, 1].map((k) => ({ body: "EF"[k], file: "no mesh", vertices: new Float32Array(0), faces: new Uint32Array(0) }));
  const upSums = [0, 1, 2].map((axis) => (named(`forceOnE[${axis + 1}]`) || { values: [] }).values.reduce((sum, x) => sum + Math.abs(x), 0));
  const axis = upSums.reduce((best, x, k, all) => (x > 1.5 * all[best] ? k : best), 2);
  const camera = new Camera([0, 1, 2].map((k) => +(k === axis)));
  const looks = ["solid", "glass"];
  const painter = choosePainter(data, wishes.get("renderer") === "2d");
  if (painter.isTooLarge) element("edges").checked = false;

  const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const poseOf = (k) => {
    const p = data.poses.subarray(12 * k, 12 * k + 12), R = p.slice(3);
    return { shift: [...p.slice(0, 3)], R, columns: [R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]] };
  };
  const turn = (R, p) => [0, 1, 2].map((i) => R[3 * i] * p[0] + R[3 * i + 1] * p[1] + R[3 * i + 2] * p[2]);
  const turnBack = (R, p) => [0, 1, 2].map((i) => R[i] * p[0] + R[3 + i] * p[1] + R[6 + i] * p[2]);
  const isFromF = () => element("seen-from").value === "F";
  const seen = (pose, p) => (isFromF() ? turnBack(pose.R, minus(p, pose.shift)) : p);
  const arrowOf = (k) => ({ place: [...data.arrows.subarray(6 * k, 6 * k + 3)], force: [...data.arrows.subarray(6 * k + 3, 6 * k + 6)] });
  let patchesShown = -1;

  // All that happens, or the contact alone.
  function fit(all) {
    if (all) {
      const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
      const add = (centre, radius) => centre.forEach((x, k) => { low[k] = Math.min(low[k], x - radius); high[k] = Math.max(high[k], x + radius); });
      for (let k = 0; k < count; k++) {
        const pose = poseOf(k);
        add(seen(pose, boxes[0].centre), boxes[0].radius);
        add(seen(pose, plus(turn(pose.R, boxes[1].centre), pose.shift)), boxes[1].radius);
      }
      camera.target = low.map((x, k) => (x + high[k]) / 2);
      camera.distance = 0.95 * Math.hypot(...minus(high, low));
    } else {
      const k = Math.hypot(...arrowOf(state.frame).force) > 0 ? state.frame : strongest;
      camera.target = seen(poseOf(k), arrowOf(k).place);
      let reach = 1e-4 * Math.min(boxes[0].radius, boxes[1].radius);
      for (let i = 0; i < count; i++) reach = Math.max(reach, Math.hypot(...data.bounds.subarray(8 * i + 3, 8 * i + 6)));
      camera.distance = 2.6 * reach;
    }
    draw();
  }

  function draw() {
    const { ratio, width, height, overlay } = fitCanvases();
    const k = state.frame, b = data.bounds.subarray(8 * k, 8 * k + 8), pose = poseOf(k);
    if (patchesShown !== k) {
      painter.setPatches(patchesOf(data, { index: k, originX: b[0], originY: b[1], originZ: b[2], sizeX: b[3], sizeY: b[4], sizeZ: b[5], topPressure: b[6] }));
      patchesShown = k;
    }
    // Seen from F, the whole world moves against it.
    let matrix = camera.matrix(width / height), axes = camera.axes();
    if (isFromF()) {
      const to = turnBack(pose.R, pose.shift), m = matrix;
      const column = (j) => [0, 1, 2, 3].map((i) => [0, 1, 2].reduce((sum, l) => sum + m[4 * l + i] * pose.R[3 * j + l], 0));
      const last = [0, 1, 2, 3].map((i) => m[12 + i] - [0, 1, 2].reduce((sum, l) => sum + m[4 * l + i] * to[l], 0));
      matrix = [...column(0), ...column(1), ...column(2), ...last];
      axes = Object.fromEntries(Object.entries(axes).map(([name, direction]) => [name, turn(pose.R, direction)]));
    }
    const topPressure = element("same-scale").checked ? mostPressure : b[7];
    painter.draw({
      matrix, axes, looks, topPressure, turns: [identity, pose.columns], shifts: [[0, 0, 0], pose.shift],
      turnPoint: (body, p) => (body === 0 ? p : turn(pose.R, p)),
      edges: element("edges").checked, elements: element("elements").checked,
    });
    element("pressure-top").textContent = withUnit(topPressure, "Pa");
    element("pressure-middle").textContent = withUnit(topPressure / 2, "Pa");
    const context = overlay.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const stage = { context, camera, matrix, width, height }, { place, force } = arrowOf(k);
    if (element("axes").checked) drawAxes(stage, [["M_e", [0, 0, 0], identity], ["M_f", pose.shift, [...pose.columns]]]);
    if (Math.hypot(...force) > 0) drawForces(stage, place, force, mostForce);
  }

  const rows = [
    ["force on E", "forceOnE", 3], ["torque on E", "torqueOnE", 3], ["force on F", "forceOnF", 3],
    ["contact area", "contactArea", 1], ["largest penetration", "maxPenetration", 1], ["largest pressure", "normalStress.max", 1],
    ["largest slip", "tangentialVelocity.max", 1], ["elastic energy", "elasticEnergy", 1], ["dissipated power", "dissipatedPower", 1],
    ["patches", "patchCount", 1], ["position of M_f", "relativePosition", 3],
  ].map(([label, name, size]) => {
    const columns = size === 1 ? [named(name)] : [1, 2, 3].map((k) => named(`${name}[${k}]`));
    if (!columns.every(Boolean)) return null;
    // A torque of rounding is none.
    const least = name.startsWith("torque") ? mostForce * Math.min(boxes[0].radius, boxes[1].radius) : 0;
    const scale = columns.reduce((most, column) => column.values.reduce((top, x) => Math.max(top, Math.abs(x)), most), least);
    return { label, columns, scale };
  }).filter(Boolean);
  const textOf = ({ columns, scale }, frame) => {
    const { unit, values } = columns[0];
    if (columns.length > 1) return listWithUnit(columns.map((column) => column.values[frame]), unit, scale);
    return unit === "" ? `${values[frame]}` : withUnit(values[frame], unit, powerOf(unit));
  };

  const timeText = (time) => (duration > 0 && Math.abs(time) < 1e-9 * duration ? "0 s" : withUnit(time, "s"));
  function update() {
    state.frame = Math.max(0, Math.min(count - 1, state.frame));
    const frame = data.shown[state.frame], time = data.times[frame];
    element("time").value = state.frame;
    element("time-text").textContent = timeText(time);
    element("moment").textContent = timeText(time);
    element("force-size").textContent = forces ? withUnit(forces.values[frame], "N") : "–";
    element("numbers").replaceChildren(...rows.map((row) => {
      const line = document.createElement("tr");
      [row.label, textOf(row, frame)].forEach((text) => {
        const cell = document.createElement("td");
        cell.textContent = text;
        line.append(cell);
      });
      return line;
    }));
    charts.forEach((chart) => chart.show(frame));
    document.body.dataset.frame = state.frame;
    draw();
  }

  const nearest = (time) => {
    let best = 0;
    for (let k = 0; k < count; k++) if (Math.abs(timeOf(k) - time) < Math.abs(timeOf(best) - time)) best = k;
    return best;
  };
  const goTo = (frame) => { state.frame = frame; state.clock = timeOf(Math.max(0, Math.min(count - 1, frame))); update(); };

  // Plots: each with a list of what it can show.
  const charts = [];
  function addChart(name) {
    const box = document.createElement("div"), row = document.createElement("div"), list = document.createElement("select");
    const value = document.createElement("output"), close = document.createElement("button"), canvas = document.createElement("canvas");
    box.className = "chart";
    row.className = "row";
    close.textContent = "×";
    close.type = "button";
    close.ariaLabel = "remove this plot";
    quantities.forEach((quantity, k) => list.add(new Option(quantity.unit ? `${quantity.name} / ${quantity.unit}` : quantity.name, k, false, quantity.name === name)));
    row.append(list, value, close);
    box.append(row, canvas);
    element("charts").append(box);
    const plot = new TimeChart(canvas, data.times, (time) => goTo(nearest(time)));
    const chart = { show: (frame) => {
      const { values, unit } = quantities[+list.value];
      value.textContent = plot.draw(values, unit, frame);
    } };
    list.addEventListener("change", () => chart.show(data.shown[state.frame]));
    close.addEventListener("click", () => { charts.splice(charts.indexOf(chart), 1); box.remove(); });
    charts.push(chart);
    return chart;
  }
  const wanted = wishes.has("plots") ? wishes.get("plots").split(";") : ["|forceOnE|", "maxPenetration"];
  const plotted = wanted.filter(named);
  (plotted.length ? plotted : [quantities[0].name]).forEach(addChart);
  element("add-chart").addEventListener("click", () => addChart((named("contactArea") || quantities[0]).name).show(data.shown[state.frame]));

  // Play: the clock of the recording runs at the chosen pace.
  const paces = [1 / 40, 1 / 20, 1 / 8, 1 / 4, 1 / 2, 1].map((part) => part * duration);
  const round = (x) => +x.toPrecision(1) || 1;
  [...new Set([...paces.map(round), 1])].sort((a, b) => a - b).forEach((pace) => {
    element("speed").add(new Option(pace === 1 ? "1 s (real time)" : shortText(pace, "s"), pace, false, pace === round(duration / 8)));
  });
  let before = 0;
  function tick() {
    if (!state.playing) return;
    const now = performance.now();
    state.clock += (now - before) / 1000 * +element("speed").value;
    before = now;
    let frame = state.frame;
    while (frame + 1 < count && timeOf(frame + 1) <= state.clock) frame++;
    if (frame !== state.frame) { state.frame = frame; update(); }
    if (frame === count - 1) { play(false); return; }
    setTimeout(tick, 15);
  }
  function play(on) {
    state.playing = on && count > 1;
    element("play").textContent = state.playing ? "pause" : "play";
    if (!state.playing) return;
    if (state.frame === count - 1) state.frame = 0;
    state.clock = timeOf(state.frame);
    update();
    before = performance.now();
    setTimeout(tick, 15);
  }
  const step = (by) => { play(false); goTo(state.frame + by); };
  element("play").addEventListener("click", () => play(!state.playing));
  element("back").addEventListener("click", () => step(-1));
  element("ahead").addEventListener("click", () => step(1));
  element("time").max = count - 1;
  element("time").addEventListener("input", (event) => { play(false); goTo(+event.target.value); });
  document.addEventListener("keydown", (event) => {
    if (["INPUT", "SELECT", "BUTTON"].includes(event.target.tagName)) return;
    const keys = { " ": () => play(!state.playing), ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => step(-count), End: () => step(count) };
    if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
  });

  // Pictures.
  const picture = () => pictureOf(element("scene"), element("overlay"), `t = ${timeText(timeOf(state.frame))}`);
  async function pictures(most) {
    const kept = state.frame, every = Math.ceil(count / most), files = [];
    play(false);
    for (let k = 0; k < count; k += every) {
      goTo(k);
      files.push({ name: `${data.name}_${String(files.length).padStart(4, "0")}.png`, bytes: picture() });
      element("save-pictures").textContent = `${files.length} of ${Math.ceil(count / every)}`;
      await new Promise((shown) => setTimeout(shown, 0));
    }
    element("save-pictures").textContent = "all pictures";
    goTo(kept);
    return files;
  }
  element("save-picture").addEventListener("click", () => save(picture(), "image/png", `${data.name}.png`));
  element("save-pictures").addEventListener("click", async () => save(zipOf(await pictures(MOST_PICTURES)), "application/zip", `${data.name}.zip`));

  element("explanation").textContent = data.explanation;
  const bodies = hasBodies ? data.meshes.map(({ body, file, faces }) => `${body}: ${file}, ${faces.length / 3} faces`) : [];
  element("facts").textContent = [...bodies, ...data.facts].join(" · ") + ". Vectors are resolved in M_e.";
  ["look-e", "look-f"].forEach((id, k) => {
    for (const look of ["solid", "glass", "hidden"]) element(id).add(new Option(look, look, false, look === looks[k]));
    element(id).addEventListener("change", (event) => { looks[k] = event.target.value; draw(); });
  });
  for (const id of ["edges", "elements", "axes", "same-scale"]) element(id).addEventListener("change", draw);
  element("seen-from").addEventListener("change", () => fit(true));
  element("fit-all").addEventListener("click", () => fit(true));
  element("fit-contact").addEventListener("click", () => fit(false));
  element("view-side").addEventListener("click", () => { camera.yaw = -Math.PI / 2; camera.pitch = 0.05; draw(); });
  element("view-top").addEventListener("click", () => { camera.pitch = 1.56; draw(); });
  drawColourBar();
  handleGestures(element("overlay"), camera, draw, () => fit(true));
  if (wishes.has("from")) element("seen-from").value = wishes.get("from");
  state.frame = wishes.get("frame") === "strongest" ? strongest : Math.round(+(wishes.get("frame") || 0));
  new ResizeObserver(() => update()).observe(element("stage"));
  update();
  fit(wishes.get("fit") !== "contact");
  if (wishes.has("side")) element("view-side").click();
  // For tests: which part of the scene is not background, and that pictures become an archive.
  if (wishes.has("check")) document.body.dataset.painted = paintedPart(element("scene"));
  if (wishes.has("play")) play(true);
  if (wishes.has("pictures")) {
    pictures(+wishes.get("pictures")).then((files) => {
      document.body.dataset.pictures = files.length;
      document.body.dataset.archive = btoa(zipOf(files).reduce((text, byte) => text + String.fromCharCode(byte), ""));
    });
  }
  document.body.dataset.state = "ready";
}

start();

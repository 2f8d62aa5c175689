// Puts the page together: sliders, numbers, camera.

const element = (id) => document.getElementById(id);

function start() {
  const data = readData(element("data").textContent);
  const wishes = new URLSearchParams(location.hash.slice(1));
  const state = { depth: data.start[0], position: data.start[1], quantity: 0 };
  for (const key of ["depth", "position", "quantity"]) if (wishes.has(key)) state[key] = +wishes.get(key);

  const boxes = data.meshes.map(({ vertices }) => {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    vertices.forEach((v, k) => { low[k % 3] = Math.min(low[k % 3], v); high[k % 3] = Math.max(high[k % 3], v); });
    return { centre: low.map((x, k) => (x + high[k]) / 2), radius: Math.hypot(...minus(high, low)) / 2 };
  });
  const axis = data.direction.map(Math.abs).reduce((best, x, k, all) => (x > all[best] + 1e-9 ? k : best), 2);
  const up = [0, 1, 2].map((k) => +(k === axis));
  const camera = new Camera(up);
  // The body above is glass, so that the patch below it shows.
  const comesFromBelow = dot(data.direction, up) > 0;
  const looks = comesFromBelow ? ["glass", "solid"] : ["solid", "glass"];

  let painter;
  try {
    if (wishes.get("renderer") === "2d") throw new Error("asked for");
    painter = new WebGlPainter(element("scene"), data);
  } catch (error) {
    // A canvas that was asked for one kind of context gives no other.
    const fresh = element("scene").cloneNode();
    element("scene").replaceWith(fresh);
    painter = new FlatPainter(fresh, data);
    const large = painter.isTooLarge ? "; the meshes are too large for it, so that only patches and forces show" : "";
    element("message").textContent = `This browser offers no WebGL (${error.message}); a simple painter draws instead${large}.`;
    element("message").hidden = false;
  }
  document.body.dataset.renderer = painter.name;

  const R = data.touchRotation;
  const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const columns = [R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]];
  const turnPoint = (k, p) => (k === 0 ? p : [0, 1, 2].map((i) => R[3 * i] * p[0] + R[3 * i + 1] * p[1] + R[3 * i + 2] * p[2]));
  const shiftOfF = () => plus(plus(data.touchPosition, data.direction, data.depths[state.depth]), data.across, data.positions[state.position]);
  const allSamples = data.positions.flatMap((_, p) => data.depths.map((_, d) => sampleOf(data, d, p)));
  const mostForce = Math.max(...allSamples.map((s) => s.size)), mostPressure = Math.max(...allSamples.map((s) => s.topPressure));
  let sample, patchesShown = -1;

  const contactPlace = () => {
    const s = sample.size > 0 ? sample : allSamples.find((other) => other.size > 0);
    return s ? s.place : boxes[0].centre;
  };
  const smaller = Math.min(boxes[0].radius, boxes[1].radius);
  function fit(all) {
    if (all) {
      const centreF = plus(turnPoint(1, boxes[1].centre), shiftOfF());
      const apart = Math.hypot(...minus(centreF, boxes[0].centre));
      camera.target = boxes[0].centre.map((x, k) => (x * boxes[0].radius + centreF[k] * boxes[1].radius) / (boxes[0].radius + boxes[1].radius));
      camera.distance = 1.45 * (0.5 * apart + Math.max(boxes[0].radius, boxes[1].radius)) * 1.55;
    } else {
      camera.target = contactPlace();
      const reach = Math.max(...allSamples.map((s) => Math.hypot(s.sizeX, s.sizeY, s.sizeZ)));
      camera.distance = 2.6 * Math.max(reach, 1e-4 * smaller);
    }
    draw();
  }

  function draw() {
    const ratio = window.devicePixelRatio || 1, scene = element("scene"), overlay = element("overlay");
    const width = scene.clientWidth, height = scene.clientHeight;
    for (const canvas of [scene, overlay]) {
      if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
      }
    }
    if (patchesShown !== sample.index) {
      painter.setPatches(patchesOf(data, sample));
      patchesShown = sample.index;
    }
    const matrix = camera.matrix(width / height);
    const topPressure = element("same-scale").checked ? mostPressure : sample.topPressure;
    painter.draw({
      matrix, axes: camera.axes(), looks, topPressure, turnPoint,
      turns: [identity, columns], shifts: [[0, 0, 0], shiftOfF()],
      edges: element("edges").checked, elements: element("elements").checked,
    });
    element("pressure-top").textContent = withUnit(topPressure, "Pa");
    element("pressure-middle").textContent = withUnit(topPressure / 2, "Pa");
    drawArrows(overlay.getContext("2d"), matrix, width, height, ratio);
  }

  // Forces as arrows over the scene, so that no body hides them.
  function drawArrows(context, matrix, width, height, ratio) {
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    drawAxes(context, matrix, width, height);
    if (!(sample.size > 0)) return;
    const { top } = camera.axes();
    const length = 0.2 * camera.distance * (0.25 + 0.75 * sample.size / mostForce) / sample.size;
    context.font = "600 13px system-ui, sans-serif";
    for (const [sign, colour, name] of [[1, "#b34a0c", "on E"], [-1, "#153a5e", "on F"]]) {
      const from = project(matrix, sample.place);
      const to = project(matrix, plus(sample.place, sample.force, sign * length));
      if (!from || !to) continue;
      const [x0, y0, x1, y1] = [from[0] * width, from[1] * height, to[0] * width, to[1] * height];
      const size = Math.hypot(x1 - x0, y1 - y0);
      if (size < 2) continue;
      const [ux, uy] = [(x1 - x0) / size, (y1 - y0) / size], head = Math.min(14, 0.5 * size);
      const arrow = () => {
        context.beginPath();
        context.moveTo(x0, y0);
        context.lineTo(x1 - head * ux, y1 - head * uy);
        context.stroke();
        context.beginPath();
        context.moveTo(x1, y1);
        context.lineTo(x1 - head * ux - 0.45 * head * uy, y1 - head * uy + 0.45 * head * ux);
        context.lineTo(x1 - head * ux + 0.45 * head * uy, y1 - head * uy - 0.45 * head * ux);
        context.closePath();
        context.fill();
      };
      context.lineJoin = "round";
      context.strokeStyle = "#ffffffcc"; context.fillStyle = "#ffffffcc"; context.lineWidth = 6; arrow();
      context.strokeStyle = context.fillStyle = colour; context.lineWidth = 3; arrow();
      const text = `${withUnit(sample.size, "N")} ${name}`;
      context.lineWidth = 4; context.strokeStyle = "#ffffffe0";
      const tx = x1 + 10, ty = y1 + (sign * dot(sample.force, top) > 0 ? 2 : 10);
      context.strokeText(text, tx, ty);
      context.fillText(text, tx, ty);
    }
  }

  // The axes of both markers: x red, y green, z blue.
  function drawAxes(context, matrix, width, height) {
    if (!element("axes").checked) return;
    const reach = 0.12 * camera.distance;
    context.font = "600 12px system-ui, sans-serif";
    [["M_e", [0, 0, 0], (k) => identity.slice(3 * k, 3 * k + 3)], ["M_f", shiftOfF(), (k) => columns.slice(3 * k, 3 * k + 3)]].forEach(([name, origin, axis]) => {
      const from = project(matrix, origin);
      if (!from) return;
      const at = (point) => [point[0] * width, point[1] * height];
      ["#c0392b", "#2e8b57", "#2c5fb3"].forEach((colour, k) => {
        const to = project(matrix, plus(origin, axis(k), reach));
        if (!to) return;
        context.strokeStyle = context.fillStyle = colour;
        context.lineWidth = 2;
        context.beginPath();
        context.moveTo(...at(from));
        context.lineTo(...at(to));
        context.stroke();
        context.fillText("xyz"[k], at(to)[0] + 3, at(to)[1] - 3);
      });
      context.fillStyle = "#333";
      context.fillText(name, at(from)[0] + 6, at(from)[1] + 14);
    });
  }

  function update() {
    state.depth = Math.max(0, Math.min(data.depths.length - 1, state.depth));
    state.position = Math.max(0, Math.min(data.positions.length - 1, state.position));
    sample = sampleOf(data, state.depth, state.position);
    element("depth").value = state.depth;
    element("position").value = state.position;
    element("depth-text").textContent = withUnit(data.depths[state.depth], "m");
    element("position-text").textContent = withUnit(data.positions[state.position], "m");
    element("force-size").textContent = withUnit(sample.size, "N");
    const rows = [
      ["force on E", listWithUnit(sample.force, "N", mostForce)],
      ["torque on E", listWithUnit(sample.torque, "N·m", mostForce * smaller)],
      ["contact area", withUnit(sample.area, "m²", 2)],
      ["largest penetration", withUnit(sample.maxPenetration, "m")],
      ["mean penetration", withUnit(sample.meanPenetration, "m")],
      ["largest pressure", withUnit(sample.maxPressure, "Pa")],
      ["elastic energy", withUnit(sample.energy, "J")],
      ["patches", `${sample.patches}`],
    ];
    if (sample.warning) rows.push(["mind", ["one body lies wholly inside the other", "a border of an open mesh is in the contact"][sample.warning - 1] || "enclosed, with a border"]);
    if (data.isMoving) rows.push(["dissipated power", withUnit(sample.power, "W")]);
    element("numbers").replaceChildren(...rows.map((cells) => {
      const row = document.createElement("tr");
      cells.forEach((text) => {
        const cell = document.createElement("td");
        cell.textContent = text;
        row.append(cell);
      });
      return row;
    }));
    chart.draw(state.depth, state.position, QUANTITIES[state.quantity]);
    draw();
  }

  const chart = new Chart(element("chart"), data, (depth) => { state.depth = depth; update(); });
  element("description").textContent = data.description;
  element("explanation").textContent = data.explanation;
  element("facts").textContent = `E: ${data.meshes[0].file}, ${data.meshes[0].faces.length / 3} faces · F: ${data.meshes[1].file}, ${data.meshes[1].faces.length / 3} faces · ${data.facts.join(" · ")}. Vectors are resolved in M_e, torque about its origin.`;
  element("depth").max = data.depths.length - 1;
  element("position").max = data.positions.length - 1;
  element("position").disabled = data.positions.length < 2;
  for (const key of ["depth", "position"]) element(key).addEventListener("input", (event) => { state[key] = +event.target.value; update(); });
  QUANTITIES.forEach(({ name }, k) => element("quantity").add(new Option(name, k, false, k === state.quantity)));
  element("quantity").addEventListener("change", (event) => { state.quantity = +event.target.value; update(); });
  ["look-e", "look-f"].forEach((id, k) => {
    for (const look of ["solid", "glass", "hidden"]) element(id).add(new Option(look, look, false, look === looks[k]));
    element(id).addEventListener("change", (event) => { looks[k] = event.target.value; draw(); });
  });
  for (const id of ["edges", "elements", "axes", "same-scale"]) element(id).addEventListener("change", draw);
  if (wishes.has("elements")) element("elements").checked = true;
  element("fit-all").addEventListener("click", () => fit(true));
  element("fit-contact").addEventListener("click", () => fit(false));
  element("view-side").addEventListener("click", () => { camera.yaw = -Math.PI / 2; camera.pitch = 0.05; draw(); });
  element("view-top").addEventListener("click", () => { camera.pitch = comesFromBelow ? 1.56 : -1.56; draw(); });

  const bar = element("colours").getContext("2d");
  for (let k = 0; k < 160; k++) {
    bar.fillStyle = `rgb(${rampColour(1 - k / 159).map((x) => Math.round(255 * x))})`;
    bar.fillRect(0, k, 14, 1);
  }
  handleGestures(element("overlay"), camera, draw, () => fit(true));
  new ResizeObserver(() => update()).observe(element("stage"));
  update();
  fit(wishes.get("fit") !== "contact");
  if (wishes.has("side")) element("view-side").click();
  // For tests: which part of the scene is not background.
  if (wishes.has("check")) document.body.dataset.painted = paintedPart(element("scene"));
  document.body.dataset.state = "ready";
}

function handleGestures(canvas, camera, draw, reset) {
  const pointers = new Map();
  const move = (dx, dy) => {
    const { right, top } = camera.axes(), scale = 0.8 * camera.distance / canvas.clientHeight;
    camera.target = plus(plus(camera.target, right, -dx * scale), top, dy * scale);
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => pointers.delete(event.pointerId));
  canvas.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY], [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    if (pointers.size > 1) {
      const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
      const span = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
      camera.distance *= span(before) / span(now);
      move(dx / 2, dy / 2);
    } else if (event.shiftKey || event.buttons & 6) {
      move(dx, dy);
    } else {
      camera.yaw -= 0.008 * dx;
      camera.pitch = Math.max(-1.56, Math.min(1.56, camera.pitch + 0.008 * dy));
    }
    pointers.set(event.pointerId, now);
    draw();
  });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    camera.distance *= Math.exp(0.0012 * event.deltaY);
    draw();
  }, { passive: false });
  canvas.addEventListener("dblclick", reset);
}

function paintedPart(canvas) {
  const copy = document.createElement("canvas");
  [copy.width, copy.height] = [160, 120];
  const context = copy.getContext("2d");
  context.drawImage(canvas, 0, 0, 160, 120);
  const pixels = context.getImageData(0, 0, 160, 120).data, paper = BACKGROUND.map((x) => 255 * x);
  let painted = 0;
  for (let k = 0; k < pixels.length; k += 4) {
    if (paper.some((x, channel) => Math.abs(pixels[k + channel] - x) > 6)) painted++;
  }
  return (painted / (160 * 120)).toFixed(4);
}

window.addEventListener("error", (event) => {
  document.body.dataset.state = "failed";
  document.body.dataset.error = event.message;
  const message = document.getElementById("message");
  message.textContent = `The page failed: ${event.message}`;
  message.hidden = false;
});
start();

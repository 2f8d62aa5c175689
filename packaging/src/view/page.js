// Puts the page together: sliders, numbers, camera.

function start() {
  const data = readData(element("data").textContent);
  const wishes = new URLSearchParams(location.hash.slice(1));
  const state = { depth: data.start[0], position: data.start[1], quantity: 0 };
  for (const key of ["depth", "position", "quantity"]) if (wishes.has(key)) state[key] = +wishes.get(key);

  const boxes = data.meshes.map(boxOf);
  const axis = data.direction.map(Math.abs).reduce((best, x, k, all) => (x > all[best] + 1e-9 ? k : best), 2);
  const up = [0, 1, 2].map((k) => +(k === axis));
  const camera = new Camera(up);
  // The body above is glass, so that the patch below it shows.
  const comesFromBelow = dot(data.direction, up) > 0;
  const looks = comesFromBelow ? ["glass", "solid"] : ["solid", "glass"];

  const painter = choosePainter(data, wishes.get("renderer") === "2d");

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
    const { ratio, width, height, overlay } = fitCanvases();
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
    const context = overlay.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const stage = { context, camera, matrix, width, height };
    if (element("axes").checked) drawAxes(stage, [["M_e", [0, 0, 0], identity], ["M_f", shiftOfF(), columns]]);
    if (sample.size > 0) drawForces(stage, sample.place, sample.force, mostForce);
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

  drawColourBar();
  handleGestures(element("overlay"), camera, draw, () => fit(true));
  new ResizeObserver(() => update()).observe(element("stage"));
  update();
  fit(wishes.get("fit") !== "contact");
  if (wishes.has("side")) element("view-side").click();
  // For tests: which part of the scene is not background.
  if (wishes.has("check")) document.body.dataset.painted = paintedPart(element("scene"));
  document.body.dataset.state = "ready";
}

start();

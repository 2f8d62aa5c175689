// Draws the scene with WebGL, or face by face on a flat canvas where there is none.

const COLOUR_E = [0.89, 0.52, 0.29];
const COLOUR_F = [0.45, 0.61, 0.77];
const BACKGROUND = [0.91, 0.935, 0.955];
// Faces that the flat painter sorts without stalling the page.
const MOST_PAINTED = 60000;

const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const plus = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => { const l = Math.hypot(...a) || 1; return a.map((x) => x / l); };

// A camera that looks at a target from a direction; `up` is a coordinate axis.
class Camera {
  constructor(up) {
    this.up = up;
    const other = Math.abs(up[0]) > 0.5 ? [0, 1, 0] : [1, 0, 0];
    this.first = unit(cross(up, cross(other, up)));
    this.second = cross(up, this.first);
    this.yaw = -1.15; this.pitch = 0.38; this.distance = 1; this.target = [0, 0, 0];
  }
  axes() {
    const c = Math.cos(this.pitch), s = Math.sin(this.pitch);
    const flat = plus(this.first.map((x) => x * Math.cos(this.yaw)), this.second, Math.sin(this.yaw));
    const back = plus(flat.map((x) => x * c), this.up, s);
    const right = unit(cross(this.up, flat));
    return { right, top: cross(back, right), back };
  }
  // Column-major matrix from the world to clip space.
  matrix(aspect) {
    const { right, top, back } = this.axes();
    const eye = plus(this.target, back, this.distance);
    const narrow = Math.min(1, aspect), f = 2.6;
    const near = 0.02 * this.distance, far = 60 * this.distance;
    const rows = [right, top, back].map((axis) => [...axis, -dot(axis, eye)]);
    const [r, t, b] = rows;
    const a = -(far + near) / (far - near), c = -2 * far * near / (far - near);
    const sx = f * narrow / aspect, sy = f * narrow;
    const m = [];
    for (let k = 0; k < 4; k++) m.push(sx * r[k], sy * t[k], a * b[k] + (k === 3 ? c : 0), -b[k]);
    return m;
  }
}

// Position on the screen in parts of the canvas, and depth.
function project(matrix, p) {
  const at = (row) => matrix[row] * p[0] + matrix[4 + row] * p[1] + matrix[8 + row] * p[2] + matrix[12 + row];
  const w = at(3);
  return w <= 0 ? null : [0.5 + 0.5 * at(0) / w, 0.5 - 0.5 * at(1) / w, at(2) / w];
}

const BODY_VERTEX = `
attribute vec3 place, normal, corner; uniform mat4 view; uniform mat3 turn; uniform vec3 shift;
varying vec3 facing, edge;
void main() { facing = turn * normal; edge = corner; gl_Position = view * vec4(turn * place + shift, 1.0); }`;
const BODY_FRAGMENT = `#extension GL_OES_standard_derivatives : enable
precision highp float; varying vec3 facing, edge; uniform vec3 colour, toEye, light; uniform float opacity, lines;
void main() {
  vec3 n = normalize(facing); float side = dot(n, toEye);
  float shade = 0.48 + 0.46 * max(0.0, dot(n, light)) + 0.14 * abs(side);
  vec3 width = fwidth(edge); vec3 near = smoothstep(vec3(0.0), 1.1 * width, edge);
  float line = lines * (1.0 - min(near.x, min(near.y, near.z))) * smoothstep(0.45, 0.1, max(width.x, max(width.y, width.z)));
  gl_FragColor = vec4(mix(colour * shade, colour * 0.35, 0.55 * line), opacity + (1.0 - opacity) * 0.25 * line);
}`;
const PATCH_VERTEX = `
attribute vec4 point; uniform mat4 view; uniform float top; varying float part;
void main() { part = top > 0.0 ? point.w / top : 0.0; gl_Position = view * vec4(point.xyz, 1.0); }`;
const PATCH_FRAGMENT = `
precision highp float; varying float part; uniform sampler2D ramp; uniform float dark;
void main() { vec3 c = texture2D(ramp, vec2(clamp(part, 0.002, 0.998), 0.5)).rgb; gl_FragColor = vec4(mix(c, vec3(0.08), dark), mix(1.0, 0.55, dark)); }`;

class WebGlPainter {
  constructor(canvas, data) {
    const gl = canvas.getContext("webgl", { alpha: false, antialias: true, preserveDrawingBuffer: true });
    if (!gl || !gl.getExtension("OES_standard_derivatives")) throw new Error("no WebGL");
    this.gl = gl;
    this.body = this.program(BODY_VERTEX, BODY_FRAGMENT);
    this.patch = this.program(PATCH_VERTEX, PATCH_FRAGMENT);
    this.meshes = data.meshes.map((mesh) => this.upload(mesh));
    this.triangles = gl.createBuffer();
    this.outlines = gl.createBuffer();
    const ramp = new Uint8Array(256 * 4);
    for (let k = 0; k < 256; k++) ramp.set([...rampColour(k / 255).map((x) => 255 * x), 255], 4 * k);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, ramp);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    this.name = "webgl";
  }
  program(vertex, fragment) {
    const gl = this.gl, program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    return program;
  }
  // Every face has corners of its own, for flat shading and edges: place, normal, corner weights.
  upload({ vertices, faces }) {
    const gl = this.gl, values = new Float32Array(faces.length * 9);
    for (let f = 0; f < faces.length; f += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => { const v = 3 * faces[f + k]; return [vertices[v], vertices[v + 1], vertices[v + 2]]; });
      const normal = unit(cross(minus(b, a), minus(c, a)));
      [a, b, c].forEach((p, k) => values.set([...p, ...normal, +(k === 0), +(k === 1), +(k === 2)], 9 * (f + k)));
    }
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
    return { buffer, count: faces.length };
  }
  setPatches({ triangles, outlines }) {
    const gl = this.gl;
    for (const [buffer, values] of [[this.triangles, triangles], [this.outlines, outlines]]) {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW);
    }
    this.counts = [triangles.length / 4, outlines.length / 4];
  }
  draw(scene) {
    const gl = this.gl;
    gl.viewport(0, 0, gl.canvas.width, gl.canvas.height);
    gl.clearColor(...BACKGROUND, 1);
    gl.depthMask(true);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    const bodies = [0, 1].filter((k) => scene.looks[k] !== "hidden");
    for (const k of bodies) if (scene.looks[k] === "solid") this.drawBody(k, scene, 1);
    gl.enable(gl.BLEND);
    for (const k of bodies) {
      if (scene.looks[k] !== "glass") continue;
      // Only the nearest surface of a glass body shows.
      gl.colorMask(false, false, false, false);
      this.drawBody(k, scene, 0);
      gl.colorMask(true, true, true, true);
      gl.depthMask(false);
      this.drawBody(k, scene, 0.32);
      gl.depthMask(true);
    }
    gl.disable(gl.BLEND);
    // Patches lie inside the bodies: they shine through all, in the colours of the bar.
    gl.disable(gl.DEPTH_TEST);
    this.drawPatches(scene);
  }
  drawBody(k, scene, opacity) {
    const gl = this.gl, program = this.body, set = (name) => gl.getUniformLocation(program, name);
    const { right, top, back } = scene.axes;
    gl.useProgram(program);
    gl.uniformMatrix4fv(set("view"), false, scene.matrix);
    gl.uniformMatrix3fv(set("turn"), false, scene.turns[k]);
    gl.uniform3fv(set("shift"), scene.shifts[k]);
    gl.uniform3fv(set("colour"), k === 0 ? COLOUR_E : COLOUR_F);
    gl.uniform3fv(set("toEye"), back);
    gl.uniform3fv(set("light"), unit(plus(plus(back, top, 0.9), right, -0.5)));
    gl.uniform1f(set("opacity"), opacity);
    gl.uniform1f(set("lines"), scene.edges ? 1 : 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.meshes[k].buffer);
    ["place", "normal", "corner"].forEach((name, i) => {
      const at = gl.getAttribLocation(program, name);
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, 3, gl.FLOAT, false, 36, 12 * i);
    });
    gl.drawArrays(gl.TRIANGLES, 0, this.meshes[k].count);
  }
  drawPatches(scene) {
    const gl = this.gl, program = this.patch, set = (name) => gl.getUniformLocation(program, name);
    gl.useProgram(program);
    gl.uniformMatrix4fv(set("view"), false, scene.matrix);
    gl.uniform1f(set("top"), scene.topPressure);
    const point = gl.getAttribLocation(program, "point");
    for (let k = 0; k < 3; k++) gl.disableVertexAttribArray(k);
    gl.enableVertexAttribArray(point);
    gl.uniform1f(set("dark"), 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.triangles);
    gl.vertexAttribPointer(point, 4, gl.FLOAT, false, 0, 0);
    gl.drawArrays(gl.TRIANGLES, 0, this.counts[0]);
    if (!scene.elements) return;
    gl.enable(gl.BLEND);
    gl.uniform1f(set("dark"), 1);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.outlines);
    gl.vertexAttribPointer(point, 4, gl.FLOAT, false, 0, 0);
    gl.drawArrays(gl.LINES, 0, this.counts[1]);
    gl.disable(gl.BLEND);
  }
}

// The painter's way: far faces first. Slower and without crossing faces, but it needs no graphics card.
class FlatPainter {
  constructor(canvas, data) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    if (!this.context) throw new Error("no canvas");
    this.meshes = data.meshes;
    this.name = "2d";
    this.isTooLarge = data.meshes.some((mesh) => mesh.faces.length / 3 > MOST_PAINTED);
  }
  setPatches(patches) { this.patches = patches; }
  draw(scene) {
    const { context, canvas } = this, { width, height } = canvas;
    context.fillStyle = `rgb(${BACKGROUND.map((x) => 255 * x)})`;
    context.fillRect(0, 0, width, height);
    const paint = (points, fill, stroke) => {
      context.beginPath();
      points.forEach((p, k) => context[k ? "lineTo" : "moveTo"](p[0] * width, p[1] * height));
      context.closePath();
      if (fill) { context.fillStyle = fill; context.fill(); }
      context.strokeStyle = stroke || fill;
      context.lineWidth = 0.7;
      context.stroke();
    };
    const css = (colour, shade, opacity) => `rgba(${colour.map((x) => Math.round(255 * Math.min(1, x * shade)))},${opacity})`;
    for (const look of ["solid", "glass", "patch"]) {
      const list = [];
      if (look === "patch") {
        const t = this.patches.triangles;
        // Each triangle in one colour: split, so that the colours run smoothly.
        const split = (a, b, c, times) => {
          if (times > 0) {
            const middle = (p, q) => [0, 1, 2, 3].map((k) => 0.5 * (p[k] + q[k]));
            const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
            for (const [p, q, r] of [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]) split(p, q, r, times - 1);
            return;
          }
          const points = [a, b, c].map((point) => project(scene.matrix, point));
          const part = scene.topPressure > 0 ? (a[3] + b[3] + c[3]) / 3 / scene.topPressure : 0;
          if (points.every(Boolean)) list.push({ points, fill: css(rampColour(part), 1, 1) });
        };
        const times = t.length < 12 * 600 ? 2 : t.length < 12 * 4000 ? 1 : 0;
        for (let i = 0; i < t.length; i += 12) split(t.slice(i, i + 4), t.slice(i + 4, i + 8), t.slice(i + 8, i + 12), times);
      } else {
        this.meshes.forEach((mesh, k) => {
          if (scene.looks[k] !== look || this.isTooLarge) return;
          const place = (v) => plus(scene.turnPoint(k, [mesh.vertices[3 * v], mesh.vertices[3 * v + 1], mesh.vertices[3 * v + 2]]), scene.shifts[k]);
          for (let f = 0; f < mesh.faces.length; f += 3) {
            const world = [place(mesh.faces[f]), place(mesh.faces[f + 1]), place(mesh.faces[f + 2])];
            const normal = unit(cross(minus(world[1], world[0]), minus(world[2], world[0])));
            const side = dot(normal, scene.axes.back);
            if (side <= 0) continue;
            const points = world.map((p) => project(scene.matrix, p));
            if (!points.every(Boolean)) continue;
            const light = unit(plus(plus(scene.axes.back, scene.axes.top, 0.9), scene.axes.right, -0.5));
            const fill = css(k === 0 ? COLOUR_E : COLOUR_F, 0.48 + 0.46 * Math.max(0, dot(normal, light)) + 0.14 * side, look === "glass" ? 0.35 : 1);
            list.push({ points, fill, stroke: scene.edges ? css(k === 0 ? COLOUR_E : COLOUR_F, 0.45, 0.35) : undefined, far: points[0][2] + points[1][2] + points[2][2] });
          }
        });
        list.sort((a, b) => b.far - a.far);
      }
      for (const { points, fill, stroke } of list) paint(points, fill, stroke);
    }
  }
}

mod support;
use polycontact::contact::*;
use polycontact::math::*;
use polycontact::shapes::*;
use polycontact::mesh::TriangleMesh;
use support::*;

fn raw(soft_e: bool, soft_f: bool) -> RawParameters {
    let mut raw = elastic_raw(Method::Auto);
    if !soft_e { raw.layer_e = RawLayer::RIGID; raw.layer_f.youngs_modulus /= 2.0; }
    if !soft_f { raw.layer_f = RawLayer::RIGID; raw.layer_e.youngs_modulus /= 2.0; }
    raw
}

/// Loop work relative to gross work.
fn loop_work(e: &TriangleMesh, f: &TriangleMesh, p: &ContactParameters, center: Pose, amp: f64, n: usize) -> (f64, f64) {
    let (e, f) = (surface(e.clone()), surface(f.clone()));
    let mut w = Workspace::default();
    let gauss = [(-0.7745966692414834, 5.0/9.0), (0.0, 8.0/9.0), (0.7745966692414834, 5.0/9.0)];
    let (mut net, mut gross) = (0.0, 0.0);
    let len = 0.1;
    for i in 0..n {
        for (g, wt) in gauss {
            let t = (i as f64 + 0.5 + 0.5*g) / n as f64 * std::f64::consts::TAU;
            let pos = center.translation.vector + Vector::new(t.cos(), 0.6*(t+1.0).sin(), 0.5*(2.0*t).cos()) * amp;
            let rot = Vector::new((t+0.3).sin(), (t*2.0).cos(), t.sin()) * (amp/len);
            let dpos = Vector::new(-t.sin(), 0.6*(t+1.0).cos(), -(2.0*t).sin()) * amp;
            let r = Rotation::new(rot);
            let eps = 1e-4;
            let rot2 = Vector::new((t+eps+0.3).sin(), ((t+eps)*2.0).cos(), (t+eps).sin()) * (amp/len);
            let rot1 = Vector::new((t-eps+0.3).sin(), ((t-eps)*2.0).cos(), (t-eps).sin()) * (amp/len);
            let m = (Rotation::new(rot2) * Rotation::new(rot1).inverse()).into_inner(); let omega = Vector::new(m[(2,1)]-m[(1,2)], m[(0,2)]-m[(2,0)], m[(1,0)]-m[(0,1)]) / (4.0*eps);
            let pose = Pose::from_parts(pos.into(), r * center.rotation);
            let o = evaluate(&e, &f, p, &RelativeMotion::at_rest(pose), &mut w);
            let force = pose.rotation * o.force_on_f;
            let torque = pose.rotation * o.torque_on_f;
            let power = force.dot(&dpos) + torque.dot(&omega);
            let dt = 0.5 * wt / n as f64 * std::f64::consts::TAU;
            net += power * dt;
            gross += power.abs() * dt;
        }
    }
    (net, gross)
}

#[test]
fn loops() {
    if std::env::var("ONE").is_ok() {
        let c = comb(3, 0.02, 0.05, 0.03, 0.1);
        let (e, f) = (surface(c.clone()), surface(c));
        let o = evaluate(&e, &f, &checked(&raw(true, true)), &RelativeMotion::at_rest(pose(Vector::new(0.03,0.03,0.06), Vector::new(0.1,0.3,3.0))), &mut Workspace::default());
        println!("{o:?}");
        return;
    }
    let bx = cuboid(Vector::new(0.2,0.2,0.2));
    let cases: Vec<(&str, TriangleMesh, TriangleMesh, Pose)> = vec![
        ("box corner", bx.clone(), bx.clone(), pose(Vector::new(0.14,0.12,0.15), Vector::new(0.3,0.5,0.2))),
        ("box edge", bx.clone(), bx.clone(), pose(Vector::new(0.2,0.02,0.15), Vector::new(0.5,0.3,0.2))),
        ("gear", gear(6, 0.07, 0.1, 0.04), gear(6, 0.07, 0.1, 0.04), pose(Vector::new(0.17,0.01,0.01), Vector::new(0.1,0.05,0.2))),
        ("comb", comb(3, 0.02, 0.05, 0.03, 0.1), comb(3, 0.02, 0.05, 0.03, 0.1), pose(Vector::new(0.03,0.03,0.06), Vector::new(0.1,0.3,3.0))),
        ("torus", torus(0.1, 0.04, 16, 8), torus(0.1, 0.04, 16, 8), pose(Vector::new(0.13,0.02,0.01), Vector::new(1.4,0.05,0.2))),
        ("sphere", icosphere(0.1,2), icosphere(0.1,2), pose(Vector::new(0.15,0.1,0.06), Vector::new(1.4,0.05,0.2))),
    ];
    for (name, e, f, center) in &cases {
        for (se, sf) in [(true,true),(true,false)] {
            let p = checked(&raw(se, sf));
            for n in [50, 200] {
                let t0 = std::time::Instant::now();
                let (net, gross) = loop_work(e, f, &p, *center, 0.008, n);
                println!("{name} {se} {sf} n {n}: net/gross {:.2e} gross {gross:.3e}  {:.1} us/eval", net/gross, t0.elapsed().as_secs_f64()*1e6/(3*n) as f64);
            }
        }
    }
}

fn true_depth(m: &TriangleMesh, x: &Vector) -> f64 {
    m.faces.iter().map(|f| { let c = f.map(|v| m.vertices[v.index()]); let (_, w) = polycontact::mesh::closest_on_triangle(&c, x); (polycontact::mesh::on_triangle(&c, w) - x).norm() }).fold(f64::INFINITY, f64::min)
}

#[test]
fn pieces_have_true_depth() {
    let cases: Vec<(&str, TriangleMesh, TriangleMesh, Pose)> = vec![
        ("gear", gear(6, 0.07, 0.1, 0.04), gear(6, 0.07, 0.1, 0.04), pose(Vector::new(0.17,0.01,0.01), Vector::new(0.1,0.05,0.2))),
        ("comb", comb(3, 0.02, 0.05, 0.03, 0.1), comb(3, 0.02, 0.05, 0.03, 0.1), pose(Vector::new(0.03,0.03,0.06), Vector::new(0.1,0.3,3.0))),
        ("torus", torus(0.1, 0.04, 16, 8), torus(0.1, 0.04, 16, 8), pose(Vector::new(0.13,0.02,0.01), Vector::new(1.4,0.05,0.2))),
    ];
    for (name, me, mf, pose) in &cases {
        let (e, f) = (surface(me.clone()), surface(mf.clone()));
        for all in [false, true] {
            let mut w = Workspace::default(); w.tries_all = all;
            let p = checked(&raw(true, true));
            let m = RelativeMotion::at_rest(*pose);
            let o = evaluate(&e, &f, &p, &m, &mut w);
            println!("{name} all {all}: force {:?} area {:.15e} count {}", o.force_on_e.as_slice(), o.contact_area, o.element_count);
            let mut worst = (0.0, None);
            let mut n = [0; 3];
            visit_pieces(&e, &f, &p, &m, &mut w, &mut |piece| {
                n[match piece.feature { Feature::Face(_) => 0, Feature::Edge(_) => 1, Feature::Vertex(_) => 2 }] += 1;
                for c in &piece.corners {
                    for s in [0.01, 0.3, 0.7, 1.0] {
                        let x = c.position_e + (piece.centre.position_e - c.position_e) * s;
                        let u = c.penetration + (piece.centre.penetration - c.penetration) * s;
                        let truth = if piece.body == Body::E { true_depth(mf, &pose.inverse_transform_point(&x.into()).coords) } else { true_depth(me, &x) };
                        let err = (u - truth).abs() * piece.area;
                        if err > worst.0 { worst = (err, Some((piece.feature, piece.body, piece.face, u, truth, piece.area, piece.corners.len()))); }
                    }
                }
            });
            println!("   {n:?} worst {worst:?}");
        }
    }
}

fn winding(m: &TriangleMesh, x: &Vector) -> f64 {
    m.faces.iter().map(|f| { let [a,b,c] = f.map(|v| m.vertices[v.index()] - x); let (la,lb,lc)=(a.norm(),b.norm(),c.norm());
        2.0*(a.dot(&b.cross(&c))).atan2(la*lb*lc + a.dot(&b)*lc + b.dot(&c)*la + c.dot(&a)*lb) }).sum::<f64>() / (4.0*std::f64::consts::PI)
}

#[test]
fn coverage() {
    let c = comb(3, 0.02, 0.05, 0.03, 0.1);
    let (e, f) = (surface(c.clone()), surface(c.clone()));
    for k in 0..6 {
        let t = k as f64;
        let amp = 0.008;
        let pos = Vector::new(0.03,0.03,0.06) + Vector::new(t.cos(), 0.6*(t+1.0).sin(), 0.5*(2.0*t).cos()) * amp;
        let rot = Vector::new((t+0.3).sin(), (t*2.0).cos(), t.sin()) * (amp/0.1);
        let p = Pose::from_parts(pos.into(), Rotation::new(rot) * Rotation::new(Vector::new(0.1,0.3,3.0)));
        let params = checked(&RawParameters { method: Method::MasterE, ..raw(true, true) });
        let o = at_rest(&e, &f, &params, &p);
        let mut by_face = std::collections::BTreeMap::new();
        visit_pieces(&e, &f, &params, &RelativeMotion::at_rest(p), &mut Workspace::default(), &mut |piece| { for q in &piece.corners { let xf = p.inverse_transform_point(&q.position_e.into()).coords; let td = true_depth(&c, &xf); if (td - q.penetration).abs() > 0.02*td + 1e-6 { println!("  bad {:?} face {:?} area {:.3e} depth {} true {}", piece.feature, piece.face, piece.area, q.penetration, td); } } *by_face.entry(piece.face.0).or_insert(0.0) += piece.area; });
        let n = 60;
        let (mut force, mut area) = (Vector::zeros(), 0.0);
        for (fi, face) in c.faces.iter().enumerate() {
            let [a,b,cc] = face.map(|v| c.vertices[v.index()]);
            let nn = (b-a).cross(&(cc-a)); let da = 0.5*nn.norm()/(n*n) as f64; let nrm = nn.normalize();
            let mut fa = 0.0;
            for i in 0..n { for j in 0..n-i { for up in 0..2 { if up==1 && i+j+1>=n { continue; }
                let (u,v) = if up==0 { ((i as f64+1.0/3.0)/n as f64,(j as f64+1.0/3.0)/n as f64) } else { ((i as f64+2.0/3.0)/n as f64,(j as f64+2.0/3.0)/n as f64) };
                let x = a + (b-a)*u + (cc-a)*v;
                let xf = p.inverse_transform_point(&x.into()).coords;
                if winding(&c, &xf) > 0.5 { let d = true_depth(&c, &xf); force -= nrm * (d*1e8*da); fa += da; }
            } } }
            area += fa;
            let got = by_face.get(&(fi as u32)).copied().unwrap_or(0.0);
            if (fa-got).abs() > 0.01*fa.max(got) + 3e-7 { println!("   face {fi}: sampled {fa:.4e} pieces {got:.4e}"); }
        }
        println!("t {t}: force {:?} sampled {:?} area {:.5e} {:.5e}", o.force_on_e.as_slice(), force.as_slice(), o.contact_area, area);
    }
}

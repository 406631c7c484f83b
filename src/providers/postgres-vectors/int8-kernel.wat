;; Writes the dot products of $count rows of signed bytes with one query of 16-bit integers to $out, as 32-bit integers.
;; $dims is a multiple of 32. $row, $query and $out are byte offsets into the memory. Two accumulators, because each
;; addition has to wait for the one before it.
;; `npm run kernel` assembles this file into generated/int8-kernel.ts.
(module
  (import "host" "memory" (memory 1 65536))
  (func (export "scan") (param $row i32) (param $count i32) (param $dims i32) (param $query i32) (param $out i32)
    (local $end i32) (local $q i32) (local $stop i32) (local $a v128) (local $b v128) (local $x v128)
    (local.set $end (i32.add (local.get $out) (i32.mul (local.get $count) (i32.const 4))))
    (loop $rows
      (local.set $q (local.get $query))
      (local.set $stop (i32.add (local.get $row) (local.get $dims)))
      (local.set $a (v128.const i64x2 0 0))
      (local.set $b (v128.const i64x2 0 0))
      ;; 32 bytes of the row per iteration
      (loop $bytes
        (local.set $x (v128.load align=1 (local.get $row)))
        (local.set $a (i32x4.add (local.get $a)
          (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $x)) (v128.load align=1 (local.get $q)))))
        (local.set $b (i32x4.add (local.get $b)
          (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $x)) (v128.load offset=16 align=1 (local.get $q)))))
        (local.set $x (v128.load offset=16 align=1 (local.get $row)))
        (local.set $a (i32x4.add (local.get $a)
          (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $x)) (v128.load offset=32 align=1 (local.get $q)))))
        (local.set $b (i32x4.add (local.get $b)
          (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $x)) (v128.load offset=48 align=1 (local.get $q)))))
        (local.set $row (i32.add (local.get $row) (i32.const 32)))
        (local.set $q (i32.add (local.get $q) (i32.const 64)))
        (br_if $bytes (i32.lt_u (local.get $row) (local.get $stop))))
      (local.set $a (i32x4.add (local.get $a) (local.get $b)))
      (i32.store (local.get $out)
        (i32.add
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $a)) (i32x4.extract_lane 1 (local.get $a)))
            (i32x4.extract_lane 2 (local.get $a)))
          (i32x4.extract_lane 3 (local.get $a))))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (br_if $rows (i32.lt_u (local.get $out) (local.get $end))))))

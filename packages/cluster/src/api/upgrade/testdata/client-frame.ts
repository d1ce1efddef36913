import { serverFrame, type Frame } from '../websocket-frames.ts'

/** A frame as a client sends it: with a mask. */
export function clientFrame(kind: Frame['kind'], payload: Uint8Array): Uint8Array {
  const open = serverFrame(kind, payload)
  const head = open.length - payload.length
  const mask = [1, 2, 3, 4]
  const frame = new Uint8Array(open.length + 4)
  frame.set(open.subarray(0, head))
  frame[1] = (frame[1] ?? 0) | 0x80
  frame.set(mask, head)
  for (const [index, byte] of payload.entries())
    frame[head + 4 + index] = byte ^ (mask[index % 4] ?? 0)
  return frame
}

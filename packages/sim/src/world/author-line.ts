import { fileURLToPath } from 'node:url'

/** Code of Setpoint. Its test programs count as those of an author. */
const setpoint =
  /node_modules\/(?:@setpoint|setpoint)\/|\/packages\/(?:setpoint|cluster|sim|cli)\/(?:src|dist)\/(?!.*(?:testdata\/|\.test\.ts))/

/** Code of Node.js and of other packages. */
const foreign = /node_modules|node:|\(native\)/

/** The first line of the stack that belongs to the author; `undefined` if none does. */
export function authorLine(): string | undefined {
  const frames = (new Error('a write').stack ?? '').split('\n').slice(1)
  return firstPlace(frames.filter((frame) => !setpoint.test(frame)))
}

/**
 * The author's line that made a call, directly or through a package; `undefined` for calls of
 * Setpoint, even if the author's code is further down.
 */
export function callerLine(stack: string): string | undefined {
  const frames = stack.split('\n').slice(1)
  const own = frames.findIndex((frame) => setpoint.test(frame))
  return firstPlace(own < 0 ? frames : frames.slice(0, own))
}

function firstPlace(frames: readonly string[]): string | undefined {
  for (const frame of frames) {
    // A frame of a built-in function, such as Array.map, has no place.
    const place = /(?:file:\/\/)?(\/[^()]+:\d+):\d+\)?$/.exec(frame)?.[1]
    if (place !== undefined && !foreign.test(frame)) return shortPlace(place)
  }
  return undefined
}

/** The last two names of a path. */
function shortPlace(place: string): string {
  const path = place.startsWith('file:') ? fileURLToPath(place) : place
  return path.split('/').slice(-2).join('/')
}

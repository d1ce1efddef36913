import { fileURLToPath } from 'node:url'
import { sourceOf } from './source-lines.ts'

/** Code of Setpoint. Its test programs count as those of an author. */
const setpoint =
  /node_modules\/(?:@setpoint|setpoint)\/|\/packages\/(?:setpoint|cluster|sim|cli)\/(?:src|dist)\/(?!.*(?:testdata\/|\.test\.ts))/

/** Code of Node.js and of other packages. */
const foreign = /node_modules|node:|\(native\)/

/** How deep the author's code may be below the framework. */
const framesMax = 25

/** The first line of the stack that belongs to the author; `undefined` if none does. */
export function authorLine(): string | undefined {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = framesMax
  const { stack = '' } = new Error('a write')
  Error.stackTraceLimit = stackTraceLimit
  const frames = stack.split('\n').slice(1)
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
    const [, file, line, column] = /(?:file:\/\/)?(\/[^()]+):(\d+):(\d+)\)?$/.exec(frame) ?? []
    if (file === undefined || foreign.test(frame)) continue
    const compiled = { file, line: Number(line), column: Number(column) }
    return shortPlace(sourceOf(compiled) ?? `${file}:${line}`)
  }
  return undefined
}

/** The last two names of a path. */
function shortPlace(place: string): string {
  const path = place.startsWith('file:') ? fileURLToPath(place) : place
  return path.split('/').slice(-2).join('/')
}

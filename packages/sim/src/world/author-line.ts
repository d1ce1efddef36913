import { fileURLToPath } from 'node:url'

/** Code of Setpoint, of Node.js and of other packages. */
const foreign = /node_modules|node:|\(native\)|\/packages\/(setpoint|cluster|sim|cli)\/(src|dist)\//

/** The first line of the stack that belongs to the author; `undefined` if none does. */
export function authorLine(): string | undefined {
  const stack = new Error('a write').stack ?? ''
  const frame = stack
    .split('\n')
    .slice(1)
    .find((line) => line.includes('at ') && !foreign.test(line))
  const place = frame && /(?:file:\/\/)?(\/[^()]+:\d+):\d+\)?$/.exec(frame)?.[1]
  return place === undefined ? undefined : shortPlace(place)
}

/** The last two names of a path. */
function shortPlace(place: string): string {
  const path = place.startsWith('file:') ? fileURLToPath(place) : place
  return path.split('/').slice(-2).join('/')
}

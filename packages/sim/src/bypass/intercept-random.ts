import nodeCrypto from 'node:crypto'
import { bypassing } from './process-scope.ts'
import { replaceMember } from './replace-member.ts'

/** Randomness comes from the seed of the simulation. */
export function interceptRandom(): (() => void)[] {
  const { random } = Math
  const mathRandom = (): number => bypassing('Math.random', mathRandom)?.host.random() ?? random()
  return [replaceMember(Math, 'random', mathRandom), ...interceptWeb(), ...interceptNode()]
}

/** The global `crypto`. */
function interceptWeb(): (() => void)[] {
  const web = globalThis.crypto
  const uuid = web.randomUUID.bind(web)
  const values = web.getRandomValues.bind(web)
  const randomUUID = (): string => bypassing('crypto.randomUUID', randomUUID)?.host.uuid() ?? uuid()
  const getRandomValues = (array: Parameters<typeof values>[0]): typeof array => {
    const scope = bypassing('crypto.getRandomValues', getRandomValues)
    if (scope === undefined) return values(array)
    const { buffer, byteOffset, byteLength } = array
    new Uint8Array(buffer, byteOffset, byteLength).set(scope.host.randomBytes(byteLength))
    return array
  }
  return [
    replaceMember(web, 'randomUUID', randomUUID),
    replaceMember(web, 'getRandomValues', getRandomValues),
  ]
}

/** The module `node:crypto`. */
function interceptNode(): (() => void)[] {
  const { randomUUID: uuid, randomBytes: bytes, randomInt: integer } = nodeCrypto
  const randomUUID = (options?: nodeCrypto.RandomUUIDOptions): string =>
    bypassing('crypto.randomUUID', randomUUID)?.host.uuid() ?? uuid(options)
  const randomBytes = (size: number, done?: (error: Error | null, all: Buffer) => void) => {
    const scope = bypassing('crypto.randomBytes', randomBytes)
    if (scope === undefined) return done === undefined ? bytes(size) : bytes(size, done)
    const all = Buffer.from(scope.host.randomBytes(size))
    if (done === undefined) return all
    scope.host.setTimer(0, () => done(null, all))
    return undefined
  }
  const randomInt = (...args: Parameters<typeof integer>): number | undefined => {
    const scope = bypassing('crypto.randomInt', randomInt)
    // Typed as its last form, with a callback: all forms pass through.
    if (scope === undefined) return Reflect.apply(integer, undefined, args) as number | undefined
    const [first, second, done]: readonly unknown[] = args
    const [min, max] = typeof second === 'number' ? [Number(first), second] : [0, Number(first)]
    const value = min + Math.floor(scope.host.random() * (max - min))
    const callback = typeof second === 'function' ? second : done
    if (typeof callback !== 'function') return value
    scope.host.setTimer(0, () => void Reflect.apply(callback, undefined, [null, value]))
    return undefined
  }
  return [
    replaceMember(nodeCrypto, 'randomUUID', randomUUID),
    replaceMember(nodeCrypto, 'randomBytes', randomBytes),
    replaceMember(nodeCrypto, 'randomInt', randomInt),
  ]
}

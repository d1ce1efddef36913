/** The values of literal tokens. */
import { CelUint, type CelConstant } from '../values/cel-value.ts'
import type { Token } from './tokens.ts'
import { unescapeBytes, unescapeString } from './unescape.ts'

const intMax = 2n ** 63n - 1n
const uintMax = 2n ** 64n - 1n

/** The value of a literal, or the error in it. */
type Literal =
  | { readonly value: CelConstant; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: string }

/** Reads a literal token; `hasSign` means that a minus stands before it. */
export function literalOf(token: Token, hasSign: boolean): Literal {
  const { kind, text } = token
  switch (kind) {
    case 'NUM_INT': {
      const value = hasSign ? -BigInt(text) : BigInt(text)
      return value > intMax || value < -intMax - 1n ? { error: 'invalid int literal' } : { value }
    }
    case 'NUM_UINT': {
      const value = BigInt(text.slice(0, -1))
      return value > uintMax ? { error: 'invalid uint literal' } : { value: new CelUint(value) }
    }
    case 'NUM_FLOAT': {
      const value = Number(`${hasSign ? '-' : ''}${text}`)
      return Number.isFinite(value) ? { value } : { error: 'invalid double literal' }
    }
    case 'STRING':
      return unescapeString(text)
    case 'BYTES':
      return unescapeBytes(text)
    case "'true'":
      return { value: true }
    case "'false'":
      return { value: false }
    default:
      return { value: null }
  }
}

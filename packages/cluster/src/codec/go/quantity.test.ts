import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQuantity } from '../index.ts'

interface Recorded {
  text: string
  canonical?: string
  refusal?: string
}

const recorded = JSON.parse(
  readFileSync(new URL('../testdata/quantities.json', import.meta.url), 'utf8'),
) as Recorded[]

const anyQuantity = fc
  .tuple(
    fc.constantFrom('', '-', '+'),
    fc.nat({ max: 1_000_000 }),
    fc.constantFrom('', '.', '.5', '.25', '.123456789012', '.000'),
    fc.constantFrom(
      '',
      'n',
      'u',
      'm',
      'k',
      'M',
      'G',
      'T',
      'P',
      'Ki',
      'Mi',
      'Gi',
      'Ti',
      'e3',
      'E-2',
    ),
  )
  .map((parts) => parts.join(''))

describe('parseQuantity', () => {
  it.each(recorded)('parses $text like a real server: $canonical$refusal', (example) => {
    const { text, canonical, refusal } = example
    const read = (): string => parseQuantity(text.trim()).toText()
    if (canonical === undefined)
      expect(read).toThrow(expect.objectContaining({ name: 'QuantityError', message: refusal }))
    else expect(read()).toBe(canonical)
  })

  it('has a canonical text that is equal and stable when it is parsed again', () => {
    fc.assert(
      fc.property(anyQuantity, (text) => {
        const quantity = parseQuantity(text)
        // From 10^21 on Go has no suffix and prints none: "1000000P" becomes "1".
        fc.pre(Math.abs(quantity.toNumber()) < 1e21)
        const again = parseQuantity(quantity.toText())
        expect(again.cmp(quantity)).toBe(0)
        // A fraction of Ki is printed in bytes, without a suffix, and parsed as a decimal amount.
        expect(parseQuantity(again.toText()).toText()).toBe(again.toText())
      }),
      { numRuns: 500 },
    )
  })

  it('compares like numbers', () => {
    fc.assert(
      fc.property(anyQuantity, anyQuantity, (a, b) => {
        const [x, y] = [parseQuantity(a), parseQuantity(b)]
        expect(Math.sign(x.cmp(y))).toBe(-Math.sign(y.cmp(x)) + 0)
        if (x.toNumber() < y.toNumber()) expect(x.cmp(y)).toBeLessThan(0)
      }),
      { numRuns: 500 },
    )
  })

  it('adds, subtracts, rounds up and converts to units', () => {
    expect(parseQuantity('1Gi').plus(parseQuantity('512Mi')).toText()).toBe('1536Mi')
    expect(parseQuantity('1').minus(parseQuantity('250m')).toText()).toBe('750m')
    expect(parseQuantity('0.0001').roundedUp(-3).toText()).toBe('1m')
    expect(parseQuantity('1.5').scaledValue()).toBe(2n)
    expect(parseQuantity('1.5').scaledValue(-3)).toBe(1500n)
    expect(parseQuantity('1e999999').scaledValue()).toBe(0n)
    expect(parseQuantity('1e18').scaledValue(-3)).toBe(0n)
    expect(parseQuantity('9223372036854775808').scaledValue()).toBe(-(2n ** 63n))
    expect(parseQuantity('1e999999').cmp(parseQuantity('1e-999999'))).toBeGreaterThan(0)
  })
})

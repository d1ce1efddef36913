import { parseQuantity, type Quantity } from '../codec/index.ts'

/** Amounts by the names of quotas. */
export type Quantities = ReadonlyMap<string, Quantity>

/** Parses amounts. */
export function quantitiesOf(amounts: Readonly<Record<string, string>> = {}): Quantities {
  return new Map(Object.entries(amounts).map(([name, text]) => [name, parseQuantity(text)]))
}

/** The sum of both. */
export function sum(a: Quantities, b: Quantities): Quantities {
  const total = new Map(a)
  for (const [name, amount] of b) total.set(name, total.get(name)?.plus(amount) ?? amount)
  return total
}

/** The amounts by which `a` exceeds `b`; negative ones are omitted. */
export function increase(a: Quantities, b: Quantities): Quantities {
  return new Map(
    [...a].flatMap(([name, amount]) => {
      const other = b.get(name)
      const more = other === undefined ? amount : amount.minus(other)
      return more.isNegative ? [] : [[name, more] as const]
    }),
  )
}

/** The amounts with these names. */
export function only(amounts: Quantities, names: (name: string) => boolean): Quantities {
  return new Map([...amounts].filter(([name]) => names(name)))
}

/** The amounts that are not zero. */
export function withoutZeros(amounts: Quantities): Quantities {
  return new Map([...amounts].filter(([, amount]) => !amount.isZero))
}

/** `cpu=1,pods=2`: the format of error messages. */
export function shown(amounts: Quantities): string {
  return [...amounts]
    .map(([name, amount]) => `${name}=${amount.toText()}`)
    .sort()
    .join(',')
}

/** The amounts as text. */
export function texts(amounts: Quantities): Record<string, string> {
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, amount.toText()]))
}

import { parseQuantity, type Quantity } from '../codec/index.ts'

/** Amounts by the names that quotas use. */
export type Quantities = ReadonlyMap<string, Quantity>

/** Reads the amounts of an object. */
export function quantitiesOf(amounts: Readonly<Record<string, string>> = {}): Quantities {
  return new Map(Object.entries(amounts).map(([name, text]) => [name, parseQuantity(text)]))
}

/** Both together; what only one has is kept. */
export function sum(a: Quantities, b: Quantities): Quantities {
  const total = new Map(a)
  for (const [name, amount] of b) total.set(name, total.get(name)?.plus(amount) ?? amount)
  return total
}

/** What `a` has more than `b`; nothing less than zero. */
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

/** The amounts that are something. */
export function withoutZeros(amounts: Quantities): Quantities {
  return new Map([...amounts].filter(([, amount]) => !amount.isZero))
}

/** `cpu=1,pods=2`: how refusals show amounts. */
export function shown(amounts: Quantities): string {
  return [...amounts]
    .map(([name, amount]) => `${name}=${amount.toText()}`)
    .sort()
    .join(',')
}

/** The amounts as an object has them. */
export function texts(amounts: Quantities): Record<string, string> {
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, amount.toText()]))
}

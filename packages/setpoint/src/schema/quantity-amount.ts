const quantity = /^([+-]?\d+(?:\.\d+)?)(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE][+-]?\d+)?$/

const factors: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
}

/**
 * The amount of a quantity such as `1Gi` or `500m`; `undefined` if the value is none. Use it to
 * compare sizes, for example to find out whether a volume has to grow.
 */
export function quantityAmount(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  const match = quantity.exec(value)
  if (match === null) return undefined
  const [, digits = '', suffix = ''] = match
  if (/^[eE]/.test(suffix)) return Number(`${digits}${suffix}`)
  return Number(digits) * (suffix === '' ? 1 : (factors[suffix] ?? NaN))
}

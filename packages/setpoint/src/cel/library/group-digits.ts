/** A number with decimals, and commas between thousands. */
export function formatGroups(value: number, decimals: number): string {
  const [whole = '', fraction] = toFixedEven(value, decimals).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** Like `toFixed`, but half of the last digit is rounded to an even one, as in Go. */
export function toFixedEven(value: number, decimals: number): string {
  if (Math.abs(value) >= 1e21) {
    return decimals === 0 ? String(BigInt(value)) : `${BigInt(value)}.${'0'.repeat(decimals)}`
  }
  const digits = Math.min(decimals, 100)
  const rounded = value.toFixed(digits)
  const exact = value.toFixed(Math.min(digits + 25, 100))
  const rest = exact.slice(exact.indexOf('.') + 1 + digits)
  if (!/^50*$/.test(rest)) return rounded
  const kept = exact.slice(0, exact.length - rest.length).replace(/\.$/, '')
  return /[02468]$/.test(kept) ? kept : rounded
}

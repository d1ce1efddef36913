/** A number with decimals and commas between thousands. */
export function formatGroups(value: number, decimals: number): string {
  const exact = Math.abs(value) < 1e21 ? value.toFixed(Math.min(decimals, 100)) : large(value)
  const [whole = '', fraction] = exact.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

function large(value: number): string {
  return `${BigInt(value)}.000000`
}

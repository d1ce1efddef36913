/** A number with its noun: `1 reconcile`, `2 reconciles`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

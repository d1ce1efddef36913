/** The operators of a cluster that have no work in the state from which it starts. */
export interface SettledOperators {
  has(name: string): boolean
}

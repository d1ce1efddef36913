import * as z from 'zod'

/** A size of a volume, such as `2Gi`. */
export const sizeSchema = z.string().regex(/^[1-9][0-9]*Gi$/)

/** The number of `2Gi`. */
export function gibibytes(size: string | number | undefined): number {
  return Number.parseInt(String(size ?? 0), 10)
}

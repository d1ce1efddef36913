/** Pages of lists. A token has the last key, so that any replica can continue. Pure. */
import { refusals } from '../api-refusal.ts'
import { keyOf, type ServedJson } from './served-objects.ts'

interface ListChunk {
  readonly items: readonly ServedJson[]
  /** Absent in the last page. */
  readonly continue?: string
  readonly remainingItemCount?: number
}

/** The objects after a token, at most `limit`; `items` are sorted by key. */
export function listChunk(
  items: readonly ServedJson[],
  { limit, token }: { readonly limit: string | null; readonly token: string | null },
): ListChunk {
  const after = token === null || token === '' ? undefined : keyIn(token)
  const left = after === undefined ? items : items.filter((one) => keyOf(one) > after)
  const size = limit === null || limit === '' ? 0 : Number(limit)
  if (!Number.isInteger(size) || size < 0) {
    throw refusals.badRequest(`limit: Invalid value: ${JSON.stringify(limit)}`)
  }
  if (size === 0 || left.length <= size) return { items: left }
  const page = left.slice(0, size)
  const last = page.at(-1)
  return {
    items: page,
    continue:
      last === undefined ? '' : Buffer.from(JSON.stringify([keyOf(last)])).toString('base64url'),
    remainingItemCount: left.length - size,
  }
}

function keyIn(token: string): string {
  try {
    const [key] = JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as unknown[]
    if (typeof key === 'string') return key
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error
  }
  throw refusals.badRequest('continue key is not valid')
}

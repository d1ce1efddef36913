/** One clause of an Accept header. */
export interface AcceptClause {
  readonly type: string
  readonly subtype: string
  /** Without `q`. */
  readonly params: ReadonlyMap<string, string>
  readonly quality: number
}

/** Splits an Accept header into clauses, in the order in which a real server tries them. */
export function parseAccept(header: string): AcceptClause[] {
  const clauses = header.split(',').flatMap(readClause)
  // An insertion sort, which Go uses for few elements. The comparison is not a total order, so the
  // algorithm decides the result.
  for (let end = 1; end < clauses.length; end++) {
    for (let at = end; at > 0; at--) {
      const [before, clause] = [clauses[at - 1], clauses[at]]
      if (before === undefined || clause === undefined || !isTriedBefore(clause, before)) break
      clauses[at - 1] = clause
      clauses[at] = before
    }
  }
  return clauses
}

function isTriedBefore(clause: AcceptClause, other: AcceptClause): boolean {
  return (
    clause.quality > other.quality ||
    (clause.type !== '*' && other.type === '*') ||
    (clause.subtype !== '*' && other.subtype === '*')
  )
}

function readClause(text: string): AcceptClause[] {
  const [range = '', ...rest] = text.split(';')
  const parts = range.split('/').map((part) => part.trim())
  const [type = '', subtype = type === '*' ? '*' : ''] = parts
  if (subtype === '' || parts.length > 2) return []
  const params = new Map<string, string>()
  let quality = 1
  for (const piece of rest) {
    const [name = '', value = '', ...more] = piece.split('=')
    if (value === '' || more.length > 0) continue
    if (name.trim() === 'q') quality = qualityOf(value)
    else params.set(name.trim(), value.trim())
  }
  return [{ type, subtype, params, quality }]
}

function qualityOf(text: string): number {
  const quality = Number(text)
  return text.trim() === '' || Number.isNaN(quality) ? 0 : quality
}

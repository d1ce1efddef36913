import { parseAllDocuments } from 'yaml'

/** What Go reads as texts, unlike YAML 1.1: times, and numbers such as `12:30`. */
const unknownToGo = new Set(['timestamp', 'intTime', 'floatTime'])

/** The documents of a text as helm reads them: `yes` is true, and `0644` is octal. */
export function documentsIn(text: string): unknown[] {
  const documents = parseAllDocuments(text, {
    version: '1.1',
    customTags: (tags) =>
      tags.filter((tag) => !unknownToGo.has(typeof tag === 'string' ? tag : nameOf(tag))),
  })
  return [documents].flat().map((document) => {
    const [error] = document.errors
    if (error !== undefined) throw error
    const value: unknown = document.toJS()
    return value
  })
}

function nameOf(tag: { readonly tag: string; readonly format?: string }): string {
  if (tag.tag.endsWith(':timestamp')) return 'timestamp'
  return tag.format === 'TIME' ? 'intTime' : ''
}

import { parseAllDocuments } from 'yaml'

/** The documents of a text as helm reads them: `yes` is true, and `0644` is octal. */
export function goDocuments(text: string): unknown[] {
  const documents = parseAllDocuments(text, {
    version: '1.1',
    customTags: (tags) => tags.filter((tag) => !isUnknownToGo(tag)),
  })
  return [documents].flat().map((document) => {
    const [problem] = document.errors
    if (problem !== undefined) throw problem
    const value: unknown = document.toJS()
    return value
  })
}

/** Times, and numbers such as `12:30`, are texts. */
function isUnknownToGo(tag: string | { readonly tag: string; readonly format?: string }): boolean {
  if (typeof tag === 'string') return ['timestamp', 'intTime', 'floatTime'].includes(tag)
  return tag.tag.endsWith(':timestamp') || tag.format === 'TIME'
}

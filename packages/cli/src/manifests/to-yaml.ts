import { stringify } from 'yaml'

/**
 * Values as YAML that every reader takes the same way: no anchors, no folded lines, and quotes around texts that
 * older readers, such as kubectl's, would take for something else.
 */
export function toYaml(...documents: readonly unknown[]): string {
  const options = {
    aliasDuplicateObjects: false,
    lineWidth: 0,
    compat: 'yaml-1.1',
    indentSeq: true,
  } as const
  return documents.map((document) => stringify(document, options)).join('---\n')
}

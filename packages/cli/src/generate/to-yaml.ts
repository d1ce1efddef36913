import { stringify } from 'yaml'

/**
 * Values as YAML that all parsers read the same: no anchors, no folded lines, and quotes around
 * texts that YAML 1.1 parsers, such as kubectl's, would read as another type.
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

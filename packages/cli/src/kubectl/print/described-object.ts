import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import type { ApiObject } from '../api-resources.ts'

/** A line of a description as cells, which are aligned with those of adjacent lines. */
export type DescribedLine = readonly string[]

/** The annotation of kubectl apply, which repeats the object. */
const hiddenAnnotation = 'kubectl.kubernetes.io/last-applied-configuration'
const annotationMax = 140

/** The text of `kubectl describe`: metadata first, then all fields with readable names. */
export function describedObject(object: ApiObject): DescribedLine[] {
  const { name, namespace = '', labels, annotations } = object.metadata
  const { managedFields: _, ...metadata } = object.metadata
  const rest = Object.fromEntries(
    Object.entries(metadata).filter(
      ([field]) => !['name', 'namespace', 'labels', 'annotations'].includes(field),
    ),
  )
  return [
    ['Name:', name],
    ['Namespace:', namespace],
    ...multiline(
      'Labels:',
      Object.entries(labels ?? {})
        .map((pair) => pair.join('='))
        .sort(),
    ),
    ...multiline('Annotations:', annotationLines(annotations ?? {})),
    ...contentLines({ ...object, metadata: rest } as JsonObject, ''),
  ]
}

function multiline(title: string, lines: readonly string[]): DescribedLine[] {
  if (lines.length === 0) return [[title, '<none>']]
  return lines.map((text, index) => [index === 0 ? title : '', text])
}

function annotationLines(annotations: Readonly<Record<string, string>>): string[] {
  return Object.keys(annotations)
    .filter((name) => name !== hiddenAnnotation)
    .sort()
    .flatMap((name) => {
      const value = (annotations[name] ?? '').replace(/\n$/, '')
      const isLong = value.length + name.length + 2 > annotationMax || value.includes('\n')
      if (!isLong) return [`${name}: ${value}`]
      const lines = value.split('\n').map((line) => `  ${shortened(line, annotationMax - 2)}`)
      return [`${name}:`, ...lines]
    })
}

function shortened(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}...` : text
}

function contentLines(content: JsonObject, indent: string): DescribedLine[] {
  return Object.keys(content)
    .sort()
    .flatMap((field): DescribedLine[] => {
      const value = content[field] as JsonValue
      const title = `${indent}${labelFor(field)}:`
      if (isJsonObject(value)) return [[title], ...contentLines(value, `${indent}  `)]
      if (!Array.isArray(value)) return scalarLines(title, scalarText(value))
      return [
        [title],
        ...value.flatMap((item): DescribedLine[] =>
          isJsonObject(item)
            ? contentLines(item, `${indent}  `)
            : [[`${indent}  ${scalarText(item)}`]],
        ),
      ]
    })
}

/** Lines of a text after the first one have no title, as in kubectl. */
function scalarLines(title: string, text: string): DescribedLine[] {
  const [first = '', ...others] = text.split('\n')
  return [[title, first], ...others.map((line) => [line])]
}

function scalarText(value: JsonValue): string {
  if (value === null) return '<nil>'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const acronyms = ['API', 'URL', 'UID', 'OSB', 'GUID']

/**
 * `observedGeneration` becomes `Observed Generation`. Names with other characters are not changed.
 */
function labelFor(field: string): string {
  if (/[^\p{L}-]/u.test(field)) return field
  const words = field.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}|[^\p{L}]+/gu) ?? [field]
  return words
    .map((word) => {
      const upper = word.toUpperCase()
      return acronyms.includes(upper) ? upper : word.charAt(0).toUpperCase() + word.slice(1)
    })
    .join(' ')
}

/** Aligns the cells of adjacent lines, two spaces apart. */
export function alignedLines(lines: readonly DescribedLine[]): string[] {
  const widths = lines.map((cells) => cells.map((cell) => [...cell].length))
  return lines.map((cells, row) =>
    cells
      .map((cell, column) => {
        if (column === cells.length - 1) return cell
        return cell.padEnd(cell.length + blockWidth(widths, row, column) + 2 - [...cell].length)
      })
      .join(''),
  )
}

/**
 * The widest cell of a column in the adjacent lines that have it; the last cell of a line is not in
 * a column.
 */
function blockWidth(widths: readonly (readonly number[])[], row: number, column: number): number {
  const isInColumn = (at: number): boolean => column < (widths[at]?.length ?? 0) - 1
  let width = 0
  for (let at = row; isInColumn(at); at -= 1) width = Math.max(width, widths[at]?.[column] ?? 0)
  for (let at = row; isInColumn(at); at += 1) width = Math.max(width, widths[at]?.[column] ?? 0)
  return width
}

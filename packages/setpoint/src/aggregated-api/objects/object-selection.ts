/** Label and field selectors of requests. Pure. */
import { refusals } from '../api-refusal.ts'
import { type LabelSelector, selects } from '../../kinds/label-selector.ts'
import type { ServedJson } from './served-objects.ts'

type Expression = NonNullable<LabelSelector['matchExpressions']>[number]

/** Which objects a request is about. */
export interface ObjectSelection {
  readonly labelSelector: string
  /** The name, if `metadata.name` selects one. */
  readonly name: string | undefined
  /** Whether the namespace and the fields select it. They never change. */
  readonly isInScope: (object: ServedJson) => boolean
  readonly hasLabels: (object: ServedJson) => boolean
}

/** The selection of a request; throws a refusal of invalid selectors. */
export function objectSelection(
  query: URLSearchParams,
  { namespace, name }: { readonly namespace: string | undefined; readonly name: string },
): ObjectSelection {
  const labelSelector = query.get('labelSelector') ?? ''
  const expressions = labelExpressions(labelSelector)
  const fields = fieldTerms(query.get('fieldSelector') ?? '')
  const named = fields.find((term) => term.field === 'metadata.name' && term.isEqual)?.value
  return {
    labelSelector,
    name: name === '' ? named : name,
    isInScope: ({ metadata }) =>
      (namespace === undefined || metadata['namespace'] === namespace) &&
      (name === '' || metadata.name === name) &&
      fields.every(({ field, isEqual, value }) => {
        const own = metadata[field === 'metadata.name' ? 'name' : 'namespace'] ?? ''
        return (own === value) === isEqual
      }),
    hasLabels: ({ metadata }) => {
      const labels = metadata['labels'] as Record<string, string> | undefined
      return expressions.every((one) => isSelected(one, labels ?? {}))
    },
  }
}

/** The comparison with a number, which only selectors in texts have. */
interface Comparison {
  readonly key: string
  readonly operator: 'Gt' | 'Lt'
  readonly value: number
}

function isSelected(one: Expression | Comparison, labels: Record<string, string>): boolean {
  if (!('value' in one)) return selects({ matchExpressions: [one] }, labels)
  const own = Object.hasOwn(labels, one.key) ? labels[one.key] : undefined
  if (own === undefined || !/^-?\d+$/.test(own)) return false
  return one.operator === 'Gt' ? Number(own) > one.value : Number(own) < one.value
}

const key = '[A-Za-z0-9](?:[-\\w.]*[A-Za-z0-9])?(?:/[A-Za-z0-9](?:[-\\w.]*[A-Za-z0-9])?)?'
const value = '[-\\w.]*'
const exists = new RegExp(`^(!?)\\s*(${key})$`)
const equals = new RegExp(`^(${key})\\s*(=|==|!=)\\s*(${value})$`)
const compares = new RegExp(`^(${key})\\s*([<>])\\s*(-?\\d+)$`)
const among = new RegExp(`^(${key})\\s+(in|notin)\\s*\\(([-\\w.,\\s]*)\\)$`)

/** Requirements such as `a=b`, `c in (d, e)`, `!f` and `g>1`; all of them count. */
function labelExpressions(text: string): (Expression | Comparison)[] {
  if (text.trim() === '') return []
  // Commas inside of parentheses separate values.
  return text.split(/,(?![^(]*\))/).map((part) => expression(part.trim(), text))
}

function expression(part: string, text: string): Expression | Comparison {
  const [, not, present] = exists.exec(part) ?? []
  if (present !== undefined) {
    return { key: present, operator: not === '!' ? 'DoesNotExist' : 'Exists' }
  }
  const [, equal, sign, wanted = ''] = equals.exec(part) ?? []
  if (equal !== undefined) {
    return { key: equal, operator: sign === '!=' ? 'NotIn' : 'In', values: [wanted] }
  }
  const [, compared, order, bound] = compares.exec(part) ?? []
  if (compared !== undefined) {
    return { key: compared, operator: order === '>' ? 'Gt' : 'Lt', value: Number(bound) }
  }
  const [, listed, word, list = ''] = among.exec(part) ?? []
  if (listed === undefined) {
    throw refusals.badRequest(
      `unable to parse requirement: found '${part}' in the label selector ${JSON.stringify(text)}`,
    )
  }
  const values = list.split(',').map((one) => one.trim())
  return { key: listed, operator: word === 'in' ? 'In' : 'NotIn', values }
}

interface FieldTerm {
  readonly field: string
  readonly isEqual: boolean
  readonly value: string
}

function fieldTerms(text: string): FieldTerm[] {
  if (text.trim() === '') return []
  return text.split(',').map((part) => {
    const [, field = '', sign = '', wanted = ''] =
      /^\s*([^=!]+?)\s*(==|!=|=)\s*(.*?)\s*$/.exec(part) ?? []
    if (sign === '') {
      throw refusals.badRequest(`invalid selector: '${text}'; can't understand '${part}'`)
    }
    if (field !== 'metadata.name' && field !== 'metadata.namespace') {
      throw refusals.badRequest(`field label not supported: ${field}`)
    }
    return { field, isEqual: sign !== '!=', value: wanted }
  })
}

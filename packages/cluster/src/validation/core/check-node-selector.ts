import type { NodeSelector } from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import type { FieldPath } from '../go/field-path.ts'
import { checkOperatorValues, checkQualifiedName } from '../fields/check-label-selector.ts'
import { labelValueProblems, subdomainProblems } from '../fields/name-rules.ts'

type Selector = Decoded<NodeSelector>
/** A term of a node selector. */
export type NodeSelectorTerm = NonNullable<Selector['nodeSelectorTerms']>[number]
type Requirement = NonNullable<NodeSelectorTerm['matchExpressions']>[number]

function checkExpression(requirement: Requirement, at: FieldPath, allowAnyValue: boolean): void {
  const { key = '', operator = '', values = [] } = requirement
  if (operator === 'Gt' || operator === 'Lt') {
    if (values.length !== 1) {
      const detail = "must be specified single value when `operator` is 'Lt' or 'Gt'"
      at.child('values').required(detail)
    }
  } else checkOperatorValues(operator, values, at)
  checkQualifiedName(key, at.child('key'))
  if (allowAnyValue) return
  for (const [index, value] of values.entries()) {
    at.child('values').index(index).invalidEach(value, labelValueProblems(value))
  }
}

function checkField({ key = '', operator = '', values = [] }: Requirement, at: FieldPath): void {
  if (operator !== 'In' && operator !== 'NotIn') {
    at.child('operator').invalid(operator, 'not a valid selector operator')
  } else if (values.length !== 1) {
    const detail =
      "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
    at.child('values').required(detail)
  }
  if (key !== 'metadata.name') {
    return at.child('key').invalid(key, 'not a valid field selector key')
  }
  for (const [index, value] of values.entries()) {
    at.child('values').index(index).invalidEach(value, subdomainProblems(value))
  }
}

/** Checks one term; preferred terms may have any values. */
export function checkNodeSelectorTerm(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  at: FieldPath,
  allowAnyValue: boolean,
): void {
  for (const [index, requirement] of matchExpressions.entries()) {
    checkExpression(requirement, at.child('matchExpressions').index(index), allowAnyValue)
  }
  for (const [index, requirement] of matchFields.entries()) {
    checkField(requirement, at.child('matchFields').index(index))
  }
}

/** Checks a selector with at least one term. */
export function checkNodeSelector(
  { nodeSelectorTerms = [] }: Selector,
  at: FieldPath,
  allowAnyValue = false,
): void {
  const place = at.child('nodeSelectorTerms')
  if (nodeSelectorTerms.length === 0) {
    return place.required('must have at least one node selector term')
  }
  for (const [index, term] of nodeSelectorTerms.entries()) {
    checkNodeSelectorTerm(term, place.index(index), allowAnyValue)
  }
}

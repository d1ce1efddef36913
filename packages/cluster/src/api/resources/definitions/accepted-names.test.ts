import { expect, test } from 'vitest'
import type { DefinitionNames } from '../custom-resources.ts'
import { decideNames, sameNames } from './accepted-names.ts'

const widgets = {
  plural: 'widgets',
  singular: 'widget',
  shortNames: ['wd'],
  kind: 'Widget',
  listKind: 'WidgetList',
}
const gadgets = {
  plural: 'gadgets',
  singular: 'gadget',
  shortNames: ['g'],
  kind: 'Gadget',
  listKind: 'GadgetList',
}
const none = { plural: '', kind: '' }

const rows: [
  string,
  Partial<DefinitionNames>,
  DefinitionNames,
  Partial<DefinitionNames>,
  string,
][] = [
  ['free names', {}, none, {}, ''],
  ['a short name', { shortNames: ['wd'] }, none, { shortNames: [] }, 'ShortNamesConflict: "wd"'],
  [
    'a short name that another resource has as its singular',
    { shortNames: ['x', 'widget'] },
    gadgets,
    { shortNames: ['g'] },
    'ShortNamesConflict: "widget"',
  ],
  [
    'a short name that was its own',
    { shortNames: ['x', 'g'] },
    gadgets,
    { shortNames: ['x', 'g'] },
    '',
  ],
  ['a kind', { kind: 'WidgetList' }, gadgets, { kind: 'Gadget' }, 'KindConflict: "WidgetList"'],
  [
    'two names, of which the last is reported',
    { singular: 'wd', listKind: 'Widget' },
    gadgets,
    {},
    'ListKindConflict: "Widget"',
  ],
  ['categories', { categories: ['all'] }, gadgets, { categories: ['all'] }, ''],
]

test.each(rows)('decides about %s', (...row) => {
  const [, wanted, before, expected, problem] = row
  const decision = decideNames({ ...gadgets, ...wanted }, before, [widgets])
  expect(sameNames({ ...gadgets, ...expected }, decision.accepted)).toBe(true)
  const { reason, message } = decision.problem ?? {}
  expect(reason === undefined ? '' : `${reason}: ${message}`).toBe(
    problem === '' ? '' : `${problem} is already in use`,
  )
})

test('reports all short names that are in use', () => {
  const shortNames = ['wd', 'free', 'widgets']
  expect(decideNames({ ...gadgets, shortNames }, none, [widgets]).problem?.message).toBe(
    '["wd" is already in use, "widgets" is already in use]',
  )
})

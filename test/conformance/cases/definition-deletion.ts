import type { JsonObject } from 'setpoint/schema'
import type { ConformanceCase } from '../conformance-case.ts'
import { del, get, merge, post, setup, watching } from '../requests.ts'
import {
  crd,
  definition,
  definitions,
  open,
  version,
  widget,
  widgets,
  withWidgets,
} from './widgets.ts'

const watch = `${definitions}?watch=1&resourceVersion={rv}&fieldSelector=metadata.name%3Dwidgets.{ns}.example.com`
const since = setup(get(definition, { capture: { rv: 'metadata.resourceVersion' } }))
const held = widget({}, { finalizers: ['example.com/a'] })

const inProgress = { path: 'status.conditions.2.reason', value: 'InstanceDeletionInProgress' }
const conflict: JsonObject = {
  ...crd([version(open)]),
  metadata: { name: 'gadgets.{ns}.example.com', finalizers: ['example.com/own'] },
}
const gadgets = `${definitions}/gadgets.{ns}.example.com`

/** The steps of a definition that is being deleted. */
export const definitionDeletionCases: readonly ConformanceCase[] = [
  withWidgets('a watch shows the deletion of a definition without objects', crd([version(open)]), [
    since,
    watching(watch, [del(definition)], { events: 3 }),
  ]),
  withWidgets('a watch shows the deletion of a definition with objects', crd([version(open)]), [
    setup(post(widgets, widget())),
    since,
    watching(watch, [del(definition)], { events: 3 }),
  ]),
  withWidgets(
    'a deleted definition waits for the finalizers of its objects',
    crd([version(open)]),
    [
      setup(post(widgets, held)),
      since,
      watching(
        watch,
        [
          del(definition),
          get(`${widgets}/w`, { until: { path: 'metadata.deletionTimestamp' } }),
          get(definition, {
            until: { path: 'status.conditions.2.reason', value: 'InstanceDeletionInProgress' },
          }),
          del(definition),
          setup(merge(`${widgets}/w`, { metadata: { finalizers: null } })),
        ],
        { events: 3 },
      ),
    ],
  ),
  withWidgets(
    'a deleted definition with its own finalizer stays when its objects are gone',
    {
      ...crd([version(open)]),
      metadata: { name: 'widgets.{ns}.example.com', finalizers: ['example.com/own'] },
    },
    [
      setup(post(widgets, widget())),
      since,
      watching(
        watch,
        [
          del(definition),
          get(definition, {
            until: { path: 'status.conditions.2.reason', value: 'InstanceDeletionCompleted' },
          }),
          get(widgets),
          setup(merge(definition, { metadata: { finalizers: null } })),
        ],
        { events: 4 },
      ),
    ],
  ),
  withWidgets('a definition is deleted a second and a third time', crd([version(open)]), [
    setup(post(widgets, held)),
    del(definition),
    get(definition, { until: inProgress }),
    del(definition),
    get(definition),
    del(definition),
    get(definition),
    setup(merge(`${widgets}/w`, { metadata: { finalizers: null } })),
    get(definition, { until: { code: 404 } }),
  ]),
  {
    ...withWidgets(
      'a definition that was never established has nothing to delete',
      crd([version(open)]),
      [
        setup(
          post(definitions, {
            ...conflict,
            spec: {
              ...(conflict['spec'] as JsonObject),
              names: { plural: 'gadgets', kind: 'Widget' },
            },
          }),
        ),
        setup(
          get(gadgets, { until: { path: 'status.conditions.1.reason', value: 'NotAccepted' } }),
        ),
        setup(del(gadgets)),
        get(gadgets, {
          until: { path: 'status.conditions.2.reason', value: 'NeverEstablished' },
        }),
        del(gadgets),
        get(gadgets),
        merge(gadgets, { metadata: { finalizers: null } }),
        get(gadgets, { until: { code: 404 } }),
      ],
    ),
    cleanup: [gadgets, definition],
  },
]

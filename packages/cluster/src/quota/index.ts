/**
 * quota/: how objects count for resource quotas, as pure functions.
 *
 * `counterOf` tells how a resource counts: which limits are about it, what an object uses, and which changes matter.
 * `isInScope` tells whether a quota is about an object. Two call it: admission/ charges and refuses what is created, the
 * controller in workloads/quota/ counts what is there. They must not differ, which is why the rules are here.
 *
 * Promises: nothing here reads a clock or a store. Classes of devices are not counted.
 */
export { counterOf } from './counter-of.ts'
export type { Counter } from './counter.ts'
export {
  increase,
  only,
  quantitiesOf,
  shown,
  sum,
  texts,
  withoutZeros,
  type Quantities,
} from './quantities.ts'
export { isInScope } from './quota-scope.ts'

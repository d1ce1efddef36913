/**
 * quota/: how objects count for ResourceQuotas, as pure functions.
 *
 * `counterOf` returns how a resource counts: which limits apply, what an object uses, and which
 * changes matter. `isInScope` returns whether a quota applies to an object. There are two callers:
 * admission/ charges and refuses new objects, and the controller in controllers/quota/ counts
 * existing objects. Both must agree, so the rules are here.
 *
 * Nothing here reads a clock or a store. Device classes are not counted.
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

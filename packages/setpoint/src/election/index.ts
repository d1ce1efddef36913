/**
 * election/: one active copy among replicas, by a Lease.
 *
 * `new Election({ host, client, name }).run(work, signal)` waits until this replica holds the Lease and then does the
 * work; whoever starts operators with more than one replica calls it. It follows client-go in its times and in what it
 * writes, so that `kubectl get lease` and replicas of other languages understand it.
 *
 * It promises that the signal of the work is aborted before another replica can begin, whatever the wall clocks say and
 * whichever answers get lost, and that a replica that stops hands over without a wait. What it cannot see is a Lease
 * that is deleted, or whose holder is removed by hand, just when a replica starts that never saw the holder.
 */
export { Election } from './election.ts'

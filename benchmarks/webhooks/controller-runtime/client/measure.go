package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/client-go/rest"
)

type options struct {
	url, caFile, reviewFile string
	allowed                 bool
	count, concurrency      int
}

// figures are the result of a measurement; times are in milliseconds.
type figures struct {
	Protocol   string  `json:"protocol"`
	Reviews    int     `json:"reviews"`
	Errors     int     `json:"errors"`
	FirstError string  `json:"firstError,omitempty"`
	P50        float64 `json:"p50"`
	P99        float64 `json:"p99"`
	Max        float64 `json:"max"`
	Seconds    float64 `json:"seconds"`
}

// deadline is the default timeout of a webhook.
const deadline = 10 * time.Second

// sample is the result of one review.
type sample struct {
	took     time.Duration
	protocol string
	err      error
}

func measure(options options) (figures, error) {
	ca, err := os.ReadFile(options.caFile)
	if err != nil {
		return figures{}, err
	}
	body, err := os.ReadFile(options.reviewFile)
	if err != nil {
		return figures{}, err
	}
	var review admissionv1.AdmissionReview
	if err := json.Unmarshal(body, &review); err != nil {
		return figures{}, err
	}
	client, err := newClient(ca)
	if err != nil {
		return figures{}, err
	}
	send := func() sample {
		return exchange(client, options, expectation{body, string(review.Request.UID)})
	}
	samples := make([][]sample, options.concurrency)
	var workers sync.WaitGroup
	begin := make(chan struct{})
	for worker := range options.concurrency {
		workers.Go(func() {
			<-begin
			for range options.count {
				samples[worker] = append(samples[worker], send())
			}
		})
	}
	started := time.Now()
	close(begin)
	workers.Wait()
	return summary(slices.Concat(samples...), time.Since(started)), nil
}

// newClient has the transport of an API server: client-go's, with HTTP/1.1 only
// (k8s.io/apiserver/pkg/util/webhook, https://issue.k8s.io/75791).
func newClient(ca []byte) (*http.Client, error) {
	return rest.HTTPClientFor(&rest.Config{
		TLSClientConfig: rest.TLSClientConfig{CAData: ca, NextProtos: []string{"http/1.1"}},
		Timeout:         deadline,
	})
}

type expectation struct {
	body []byte
	uid  string
}

func exchange(client *http.Client, options options, sent expectation) sample {
	started := time.Now()
	fail := func(err error) sample { return sample{took: time.Since(started), err: err} }
	response, err := client.Post(options.url, "application/json", bytes.NewReader(sent.body))
	if err != nil {
		return fail(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	took := time.Since(started)
	if err != nil {
		return fail(err)
	}
	if response.StatusCode != http.StatusOK {
		return fail(fmt.Errorf("status %d: %s", response.StatusCode, answer))
	}
	var review admissionv1.AdmissionReview
	if err := json.Unmarshal(answer, &review); err != nil {
		return fail(err)
	}
	if string(review.Response.UID) != sent.uid || review.Response.Allowed != options.allowed {
		return fail(fmt.Errorf("unexpected decision: %s", answer))
	}
	return sample{took: took, protocol: response.Proto}
}

func summary(samples []sample, took time.Duration) figures {
	result := figures{Reviews: len(samples), Seconds: took.Seconds()}
	var times []float64
	for _, each := range samples {
		if each.err != nil {
			result.Errors++
			if result.FirstError == "" {
				result.FirstError = each.err.Error()
			}
			continue
		}
		result.Protocol = each.protocol
		times = append(times, float64(each.took.Nanoseconds())/1e6)
	}
	if len(times) == 0 {
		return result
	}
	slices.Sort(times)
	result.P50 = times[len(times)/2]
	result.P99 = times[len(times)*99/100]
	result.Max = times[len(times)-1]
	return result
}

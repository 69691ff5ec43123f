package checkpoint

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"
)

// What can go wrong in a download, for errors.Is. A wrong hash is ErrHash, a
// web page in place of the file ErrNotCheckpoint, a cancelled download
// satisfies errors.Is(err, context.Canceled).
var (
	// ErrLicence: the model's licence has not been accepted.
	ErrLicence = errors.New("licence not accepted")
	// ErrNotFound: the server does not have the file (404, 410).
	ErrNotFound = errors.New("not found")
	// ErrForbidden: the server wants a login or refuses (401, 403).
	ErrForbidden = errors.New("forbidden")
	// ErrServer: the server failed or answered with something senseless.
	ErrServer = errors.New("server error")
	// ErrNetwork: the server could not be reached.
	ErrNetwork = errors.New("no network")
	// ErrProxy: a proxy stands in the way.
	ErrProxy = errors.New("proxy error")
	// ErrTLS: no trustworthy connection to the server.
	ErrTLS = errors.New("TLS error")
	// ErrInterrupted: the connection broke or stood still in the middle.
	ErrInterrupted = errors.New("interrupted")
	// ErrSize: the file does not have the expected size.
	ErrSize = errors.New("wrong size")
	// ErrDiskFull: there is no room for the file.
	ErrDiskFull = errors.New("disk full")
)

// DownloadError says what went wrong with a download and what to do about it.
type DownloadError struct {
	URL     string
	Problem string
	Remedy  string
	Kind    error // one of this package's Err values, or the context's error
	Cause   error // the system's error; may be nil
}

// Error reads download URL: PROBLEM (REMEDY).
func (e *DownloadError) Error() string {
	text := "download " + e.URL + ": " + e.Problem
	if e.Remedy == "" {
		return text
	}
	return text + " (" + e.Remedy + ")"
}

// Unwrap returns the kind and the cause.
func (e *DownloadError) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Cause}
}

// SourcesError is what Fetch returns when it has tried several sources: the
// error of each, in their order.
type SourcesError struct {
	Model string
	Errs  []error
}

// Error lists the errors, one a line.
func (e *SourcesError) Error() string {
	text := fmt.Sprintf("%s could not be downloaded from any of %d places:", e.Model, len(e.Errs))
	for _, err := range e.Errs {
		text += "\n  " + err.Error()
	}
	return text
}

// Unwrap returns the errors of all sources.
func (e *SourcesError) Unwrap() []error { return e.Errs }

// errStalled is the cause of a context that the watch over a download ended.
var errStalled = errors.New("no bytes for too long")

const remedyResume = "try again: it goes on where it stopped"

// transportError tells apart why a request did not get through, or its body
// broke off. The context is the request's own.
func transportError(ctx context.Context, request *http.Request, err error) *DownloadError {
	e := &DownloadError{URL: request.URL.String(), Cause: err}
	switch {
	case errors.Is(context.Cause(ctx), errStalled):
		e.Kind, e.Problem, e.Remedy = ErrInterrupted, "the server stopped sending", remedyResume
	case ctx.Err() != nil:
		return cancelled(ctx, e.URL, err)
	case isProxyError(err):
		e.Kind, e.Problem, e.Remedy = ErrProxy, "the proxy cannot be used: "+reason(err), "check HTTPS_PROXY and the proxy's settings"
	case isTLSError(err):
		e.Kind, e.Problem, e.Remedy = ErrTLS, "the connection cannot be trusted: "+reason(err), "check this computer's date, and whether a proxy or a guard reads the traffic"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.EOF):
		e.Kind, e.Problem, e.Remedy = ErrInterrupted, "the connection broke off", remedyResume
	case isNetworkError(err):
		e.Kind, e.Problem, e.Remedy = ErrNetwork, "the server cannot be reached: "+reason(err), "check the network"
	default:
		e.Kind, e.Problem, e.Remedy = ErrNetwork, reason(err), "check the network and try again"
	}
	return e
}

// cancelled is the error of a download whose context has ended.
func cancelled(ctx context.Context, url string, cause error) *DownloadError {
	return &DownloadError{URL: url, Problem: "cancelled", Remedy: remedyResume, Kind: ctx.Err(), Cause: cause}
}

// reason is the innermost text of an error: those around it repeat the address.
func reason(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		// The resolver's own text names the host, the system's does not.
		var dns *net.DNSError
		if errors.As(err, &dns) {
			return dns.Error()
		}
		err = inner
	}
}

func isProxyError(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "proxyconnect"
}

func isTLSError(err error) bool {
	var (
		verification *tls.CertificateVerificationError
		authority    x509.UnknownAuthorityError
		host         x509.HostnameError
		certificate  x509.CertificateInvalidError
		record       tls.RecordHeaderError
		alert        tls.AlertError
	)
	return errors.As(err, &verification) || errors.As(err, &authority) || errors.As(err, &host) ||
		errors.As(err, &certificate) || errors.As(err, &record) || errors.As(err, &alert) ||
		errors.Is(err, http.ErrSchemeMismatch)
}

func isNetworkError(err error) bool {
	var (
		dns *net.DNSError
		op  *net.OpError
	)
	return errors.As(err, &dns) || errors.As(err, &op)
}

// statusError tells apart the answers that are no file.
func statusError(response *http.Response) *DownloadError {
	e := &DownloadError{URL: response.Request.URL.String(), Problem: "the server answered " + response.Status}
	switch code := response.StatusCode; {
	case code == http.StatusNotFound, code == http.StatusGone:
		e.Kind, e.Problem, e.Remedy = ErrNotFound, "the server does not have this file ("+response.Status+")", "it may have moved: get it from its publisher and point at the file"
	case code == http.StatusProxyAuthRequired:
		e.Kind, e.Problem, e.Remedy = ErrProxy, "the proxy wants a login ("+response.Status+")", "put name and password into HTTPS_PROXY"
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		e.Kind, e.Remedy = ErrForbidden, "get it from its publisher and point at the file"
	default:
		e.Kind, e.Remedy = ErrServer, "try again later"
	}
	return e
}

// diskError tells a full disk from other trouble with a local file.
func diskError(path string, err error) error {
	if isDiskFull(err) {
		return &FileError{path, "there is no room left on the disk", "make room, then " + remedyResume, ErrDiskFull}
	}
	return systemFailure(path, "written", err)
}

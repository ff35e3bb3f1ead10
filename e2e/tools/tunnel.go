package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
)

// tunnel SOCKET MAP is the pod network of a cluster that has none. The API server, by its egress configuration, asks
// at SOCKET for `CONNECT podIP:port`; MAP is a file of lines `port address`, read at each request, that says which
// process on loopback stands for what listens at that port of a pod. A port without a line is refused, as by a pod
// in which nothing listens.
func runTunnel(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: tunnel SOCKET MAP")
	}
	listener, err := net.Listen("unix", args[0])
	if err != nil {
		return err
	}
	for {
		conn, err := listener.Accept()
		if err != nil {
			return err
		}
		go serve(conn, args[1])
	}
}

func serve(client net.Conn, table string) {
	defer client.Close()
	reader := bufio.NewReader(client)
	request, err := http.ReadRequest(reader)
	if err != nil || request.Method != http.MethodConnect {
		fmt.Fprint(client, "HTTP/1.1 405 Method Not Allowed\r\n\r\n")
		return
	}
	address, err := lookup(table, request.Host)
	if err != nil {
		fmt.Fprintf(client, "HTTP/1.1 502 Bad Gateway\r\nX-Reason: %s\r\n\r\n", err)
		return
	}
	server, err := net.Dial("tcp", address)
	if err != nil {
		fmt.Fprint(client, "HTTP/1.1 502 Bad Gateway\r\n\r\n")
		return
	}
	defer server.Close()
	fmt.Fprint(client, "HTTP/1.1 200 Connection established\r\n\r\n")
	done := make(chan struct{}, 2)
	go func() { _, _ = io.Copy(server, reader); done <- struct{}{} }()
	go func() { _, _ = io.Copy(client, server); done <- struct{}{} }()
	<-done
}

func lookup(table, host string) (string, error) {
	_, port, err := net.SplitHostPort(host)
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(table)
	if err != nil {
		return "", err
	}
	for _, line := range strings.Split(string(text), "\n") {
		if from, to, ok := strings.Cut(line, " "); ok && from == port {
			return strings.TrimSpace(to), nil
		}
	}
	return "", fmt.Errorf("nothing listens at port %s", port)
}

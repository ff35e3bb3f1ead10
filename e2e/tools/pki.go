package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// pki DIR [NAME[,USAGE-FREE-ALTNAME…]…] writes ca.crt and ca.key (unless they are there), and for each NAME a
// NAME.crt and NAME.key signed by them. Alternative names follow after `=`, separated by commas; an organisation
// after `/`: `admin/system:masters`, `server=localhost,127.0.0.1`. All certificates last a day.
func runPki(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("usage: pki DIR NAME[/ORGANISATION][=ALTNAME,…]…")
	}
	dir := args[0]
	ca, key, err := authority(dir)
	if err != nil {
		return err
	}
	for _, spec := range args[1:] {
		if err := issue(dir, spec, ca, key); err != nil {
			return err
		}
	}
	return nil
}

func authority(dir string) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	certFile, keyFile := filepath.Join(dir, "ca.crt"), filepath.Join(dir, "ca.key")
	if _, err := os.Stat(certFile); err == nil {
		cert, err := readPem(certFile)
		if err != nil {
			return nil, nil, err
		}
		raw, err := readPem(keyFile)
		if err != nil {
			return nil, nil, err
		}
		ca, err := x509.ParseCertificate(cert)
		if err != nil {
			return nil, nil, err
		}
		key, err := x509.ParseECPrivateKey(raw)
		return ca, key, err
	}
	template := &x509.Certificate{
		Subject: pkix.Name{CommonName: "e2e"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	key, err := write(certFile, keyFile, template, nil, nil)
	if err != nil {
		return nil, nil, err
	}
	raw, err := readPem(certFile)
	if err != nil {
		return nil, nil, err
	}
	ca, err := x509.ParseCertificate(raw)
	return ca, key, err
}

func issue(dir, spec string, ca *x509.Certificate, caKey *ecdsa.PrivateKey) error {
	subject, alternatives, _ := strings.Cut(spec, "=")
	name, organisation, _ := strings.Cut(subject, "/")
	template := &x509.Certificate{
		Subject:     pkix.Name{CommonName: name},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	if organisation != "" {
		template.Subject.Organization = []string{organisation}
	}
	for _, alternative := range strings.FieldsFunc(alternatives, func(r rune) bool { return r == ',' }) {
		if ip := net.ParseIP(alternative); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, alternative)
		}
	}
	file := strings.ReplaceAll(name, ":", "-")
	_, err := write(filepath.Join(dir, file+".crt"), filepath.Join(dir, file+".key"), template, ca, caKey)
	return err
}

// A new key and a certificate for it, signed by the parent, or by itself without one.
func write(certFile, keyFile string, template, parent *x509.Certificate, signer *ecdsa.PrivateKey) (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	template.SerialNumber = serial
	template.NotBefore = time.Now().Add(-time.Hour)
	template.NotAfter = time.Now().Add(24 * time.Hour)
	if parent == nil {
		parent, signer = template, key
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		return nil, err
	}
	raw, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	if err := writePem(keyFile, "EC PRIVATE KEY", raw); err != nil {
		return nil, err
	}
	return key, writePem(certFile, "CERTIFICATE", cert)
}

// Through a rename: who watches the file never sees half of it.
func writePem(file, kind string, raw []byte) error {
	text := pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: raw})
	if err := os.WriteFile(file+".new", text, 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

func readPem(file string) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, fmt.Errorf("%s: no PEM block", file)
	}
	return block.Bytes, nil
}

package main

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
)

var suffixes = strings.Split("n u m  k M G T P E Ki Mi Gi Ti Pi Ei", " ")

// Where parsing, rounding, capping or printing changes course: asked whatever the seed.
var corners = strings.Split(
	// Almost nothing, and things that look like a quantity.
	"|+|-|.|+.|-.m|--1|+-1|-+1|1-|1+3|1.5.2|1..5|..5|1e|1E|1e+|1e-|1E-|1ee3|1e3e|1e1.5|1e3m|1e 3|"+
		" |1 | 1|1\n|1\t|1 Gi|1,5|1_000|0x10|1/2|NaN|Infinity|1KI|1ki|1K|1mi|1N|1U|1i|1Kim|1Ki5|1mm|1B|"+
		"1GB|1GiB|１|1µ|1\u00a0|½|1é|null|<nil>|constructor|__proto__|"+
		// Zeros and kept texts.
		"0|-0|+0|00|0.0|0.|.0|0e5|0e-30|0Ki|0Ei|-0Pi|0.000000000000000000000E|"+
		"01|007m|+5|+3Ki|1.500|1.5000|1.000|1.0|1.234567m|1.Ki|5.|.5|+.5|-.5|0.1|100m|1500m|1000m|2000|"+
		"1e3|1E3|1e03|1E+3|1e+3|1e-3|1500e-3|1000e3|1.5e3|-12e6|1e-9|1e-10|1e00000000000000000000003|"+
		// Nano rounding.
		"0.1n|1.5n|0.000000001|0.0000000001|1.0000000001|-1.0000000001|0.9999999999|1.00000000000|1e-30|"+
		"-1e-30|1.5e-9|999999999n|1000000001n|0.0001Ki|-0.0001Ki|0.0009765625Ki|0.9765625Ki|0.5Ki|1.1Ki|"+
		"1.00000001Mi|1023|1024|1023Ki|1024Ki|1025Ki|1536Mi|1.5Gi|-1.5|-1.5Ki|-1.5Pi|-0.5Mi|1023.5Ki|"+
		// The limits of int64, of safe integers, and of exponents.
		"9223372036854775807|9223372036854775808|-9223372036854775807|-9223372036854775808|"+
		"9223372036854775809|18446744073709551616|9223372036854775.807|9223372036854775807m|"+
		"9223372036854775807n|9223372036854775808n|9.223372036854775807E|9.3E|7Ei|7.5Ei|7.99999999999Ei|"+
		"8Ei|-8Ei|9Ei|100Ei|8191Pi|8192Pi|9007199254740991|9007199254740992|-9007199254740991|"+
		"9007199254740991m|9007199254740992m|9007199254740.991|9007199254740.9911|8Pi|7Pi|999999999999999999|"+
		"9E|10E|999E|1000E|1001E|123456E|1000000E|1000000P|1e18|1e19|1e20|1e21|1e30|1e100|-1e21|1E21|"+
		"1e999|1e1000|1e-999|1e-1000|1e1001|1e-1001|1e2147483647|1e4294967299|e4294967296|"+
		"1e9223372036854775807|1e9223372036854775808|1e-9223372036854775809|100000000000000000000000000000|"+
		"0.000000000000000000000000000001|1234567890123456789012345678901234567890.123456789Ki",
	"|")

// ParseQuantity computes 10**exponent: 1e-100000000 keeps it busy for over a minute, and 1e2147483648 too,
// which wraps around to a negative exponent. Only corners that are known to end go beyond.
var endless = regexp.MustCompile("[eE][+-]?[0-9]{5}")

func generate(count int, seed uint64) []string {
	random := source{rand.New(rand.NewPCG(seed, 0))}
	texts := []string{}
	known := map[string]bool{}
	add := func(text string) {
		if !known[text] && len(texts) < count {
			known[text] = true
			texts = append(texts, text)
		}
	}
	for _, text := range corners {
		add(text)
	}
	for _, suffix := range append(suffixes, "e3", "e-9", "E-10", "e-30") {
		for _, number := range []string{"", ".", "-", "+.", "0", "1", "-1", "1.5", "1000", "1024", ".001"} {
			add(number + suffix)
		}
	}
	for len(texts) < count {
		var text string
		switch random.IntN(8) {
		case 0:
			text = random.letters("0123456789.+-eEinumkKMGTP ", 1+random.IntN(7))
		case 1, 2:
			text = random.damage(random.quantity())
		default:
			text = random.quantity()
		}
		if !endless.MatchString(text) {
			add(text)
		}
	}
	return texts
}

type source struct{ *rand.Rand }

func (r source) quantity() string {
	text := r.pick("", "", "", "", "+", "-", "-")
	switch r.IntN(6) {
	case 0: // round numbers have the interesting canonical forms
		text += strconv.Itoa(1+r.IntN(99)) + strings.Repeat("0", r.IntN(13))
	case 1: // whole bytes, written as binary suffixes or near their boundaries
		text += strconv.Itoa((1+r.IntN(4096))<<(r.IntN(4)*5) + r.IntN(3) - 1)
	default:
		text += r.letters("0123456789", r.length())
	}
	if r.IntN(2) == 0 {
		text += "." + r.letters("0001234567899", r.length())
	}
	if r.IntN(4) == 0 {
		return text + r.pick("e", "E") + r.pick("", "", "+", "-") + strconv.Itoa(r.IntN(r.pickInt(4, 13, 40)))
	}
	return text + r.pick(suffixes...)
}

// length is mostly short, sometimes around the 18 digits where Kubernetes changes its arithmetic.
func (r source) length() int { return r.IntN(r.pickInt(3, 3, 5, 5, 10, 22)) }

// damage makes a text that is nearly a quantity; some of them still are.
func (r source) damage(text string) string {
	at := r.IntN(len(text) + 1)
	end := min(len(text), at+r.IntN(2))
	return text[:at] + r.pick("", ".", "-", "+", "e", "E", "i", "K", "m", " ", "0", "x", "é", "Gi") + text[end:]
}

func (r source) letters(from string, length int) string {
	text := make([]byte, length)
	for i := range text {
		text[i] = from[r.IntN(len(from))]
	}
	return string(text)
}

func (r source) pick(from ...string) string { return from[r.IntN(len(from))] }

func (r source) pickInt(from ...int) int { return from[r.IntN(len(from))] }

;;; read-only-test.el --- Proposals of agents that take no edits -*- lexical-binding: t; -*-

;;; Commentary:

;; Such a proposal is read-only until the user asks to edit it.

;;; Code:

(require 'fixture)

(defconst ide-companion-test-reason "Toy takes no edits: it writes its own text.")

(defun ide-companion-test-propose-read-only ()
  "Let a proposal come whose agent takes no edits, and go there."
  (prog1 (ide-companion-test-propose :agent "Toy" :readOnlyReason ide-companion-test-reason)
    (ide-companion-next-proposal)))

(ide-companion-deftest "a proposal whose agent takes no edits is read-only, says why, and is accepted as proposed"
  (ide-companion-test-propose-read-only)
  (should (member "Toy proposes main.js: read-only" ide-companion-test-said))
  (should buffer-read-only)
  (should (string-search ide-companion-test-reason (ide-companion--header)))
  (should-error (ide-companion-test-keys "M-> mine") :type 'buffer-read-only)
  (ide-companion-test-keys "C-c C-c")
  (should (equal (ide-companion-test-sent :companion/diffAccepted)
                 '((:id "1" :content "one\n2\nthree\n")))))

(ide-companion-deftest "a proposal becomes editable by a key, and accepting says that it is the user's own version"
  (ide-companion-test-propose-read-only)
  (ide-companion-test-keys "C-c C-o")
  (should (member "Accepting lets Toy write its own text; then M-x ide-companion-edits offers yours"
                  ide-companion-test-said))
  (should-not (string-search ide-companion-test-reason (ide-companion--header)))
  (ide-companion-test-keys "M-> mine C-c C-c")
  (should (equal (ide-companion-test-sent :companion/diffAccepted)
                 '((:id "1" :content "one\n2\nthree\nmine" :ownVersion t)))))

(dolist (keys '("C-c C-k" "C-x k RET"))
  (eval
   `(ide-companion-deftest ,(concat "what was typed last reaches the companion before a rejection by " keys)
      (ide-companion-test-propose-read-only)
      (ide-companion-test-keys (concat "C-c C-o M-> mine " ,keys))
      (should (equal (ide-companion-test-sent :companion/draft)
                     '((:id "1" :content "one\n2\nthree\nmine"))))
      (should (equal (ide-companion-test-sent :companion/diffRejected) '((:id "1")))))
   t))

;;; read-only-test.el ends here

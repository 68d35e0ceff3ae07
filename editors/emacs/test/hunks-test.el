;;; hunks-test.el --- Changes of proposals -*- lexical-binding: t; -*-

;;; Commentary:

;; How they are found, shown, gone to and reverted.

;;; Code:

(require 'fixture)

(ide-companion-deftest "a change is reverted"
  (ide-companion-test-propose :newContent "one\n2\nthree\n4\n" :original "one\ntwo\nthree\nfour\n")
  (ide-companion-next-proposal)
  (ide-companion-test-keys "C-c C-n C-c C-r C-c C-c")
  (should (equal (ide-companion-test-accepted) '("one\n2\nthree\nfour\n"))))

(ide-companion-deftest "all that differs can be reverted, change by change"
  (dolist (texts '(("a\nb\nc\n" . "b\nc\n") ("b\nc\n" . "a\nb\nc\n") ("a\nb\n" . "a\nx\ny\n") ("a\nb\n" . "a")
                   ("a" . "a\nb\n") ("a\nb\nc" . "c") ("" . "a\n") ("a\n" . "") ("a\r\nb\r\n" . "a\r\nc\r\n")))
    (ide-companion-test-propose :original (car texts) :newContent (cdr texts))
    (ide-companion-next-proposal)
    (goto-char (point-min))
    (while (ide-companion--proposal-hunks ide-companion--proposal)
      (goto-char (car (ide-companion--hunk-region (car (ide-companion--proposal-hunks ide-companion--proposal)))))
      (ide-companion-revert-change))
    (should (equal (ide-companion--get-text (current-buffer)) (car texts)))
    (ide-companion-test-keys "C-c C-k")))

(ide-companion-deftest "changes are drawn and reverted also outside of what the buffers show"
  (let* ((proposal (ide-companion-test-propose :original "a\nb\nc\nd\n" :newContent "A\nB\nc\nD\n"))
         (base (ide-companion--proposal-base proposal)))
    (with-current-buffer base (narrow-to-region 1 3))
    (ide-companion-next-proposal)
    (narrow-to-region 3 5)
    (goto-char (point-min))
    (ide-companion-revert-change)
    (widen)
    (should (equal (buffer-string) "a\nb\nc\nD\n"))
    (should (equal (ide-companion-test-shown) "a\nb\nc\nd\nD\n"))))

(ide-companion-deftest "what is removed is shown where it was"
  (dolist (case '(("one\ntwo\nthree\n" "1\ntwo\n" "one\n1\ntwo\nthree\n")
                  ("a\nb\nc" "a\nb" "a\nb\nc\nb")
                  ("a\n" "" "a\n")
                  ("a\n" "a" "a\na")
                  ("" "a\n" "a\n")))
    (ide-companion-test-propose :original (nth 0 case) :newContent (nth 1 case))
    (ide-companion-next-proposal)
    (should (equal (list (nth 1 case) (ide-companion-test-shown)) (list (nth 1 case) (nth 2 case))))
    (ide-companion-test-keys "C-c C-k")))

(ide-companion-deftest "what is typed is compared as soon as that pauses"
  (ide-companion-test-propose)
  (ide-companion-next-proposal)
  (goto-char (point-max))
  (insert "four\n")
  (timer-event-handler ide-companion--drafting)
  (ide-companion-test-until (lambda () (cdr (ide-companion--proposal-hunks ide-companion--proposal))))
  (should (equal (ide-companion--proposal-hunks ide-companion--proposal)
                 '((:from 2 :removed 1 :line 2 :added 1) (:from 4 :removed 0 :line 4 :added 1)))))

(ide-companion-deftest "changes are gone to one after the other"
  (ide-companion-test-propose :original "a\nb\nc\nd\ne\n" :newContent "a\nB\nc\nD\nE\n")
  (ide-companion-next-proposal)
  (should (= 2 (line-number-at-pos)))
  (ide-companion-test-keys "C-c C-n")
  (should (= 4 (line-number-at-pos)))
  (should-error (ide-companion-next-change) :type 'user-error)
  (ide-companion-test-keys "C-c C-p")
  (should (= 2 (line-number-at-pos))))

(ide-companion-deftest "of lines that are alike only what differs is marked"
  (should (equal (ide-companion--changed-part "let total = 0;" "let total = 10;") '(12 12 13)))
  (should-not (ide-companion--changed-part "abcdefgh" "12345678"))
  (should (equal (ide-companion--refinements "aaaa 1\nbbbb\n" "aaaa 2\nbbbB\n")
                 '((3 4 4 7 7) (5 6 6 0 0)))))

(ide-companion-deftest "Emacs does not stand still while long lines are compared that are not all ASCII"
  (let ((long (make-string 1000000 ?x)))
    ;; Where each character is searched from the start of its line, this takes a quarter of an hour.
    (should (equal (ide-companion--changed-part (concat "é" long) (concat "èy" long)) '(0 1 2)))))

(ide-companion-deftest "many changes are drawn without counting lines from the start"
  (let* ((text (lambda (mark)
                 (mapconcat (lambda (line) (format "%d%s\n" line (if (zerop (% line 3)) mark "")))
                            (number-sequence 1 600) "")))
         (proposal (ide-companion-test-propose :original (funcall text "") :newContent (funcall text "!")))
         (forward-line (symbol-function 'forward-line))
         (steps 0))
    (should (= 200 (length (ide-companion--proposal-hunks proposal))))
    (cl-letf (((symbol-function 'forward-line)
               (lambda (&optional lines)
                 (setq steps (+ steps (abs (or lines 1))))
                 (funcall forward-line lines))))
      (ide-companion--draw proposal))
    (should (< steps (* 10 600)))))

(ide-companion-deftest "a line is found from one before it and from one behind it, also a last one without a newline"
  (with-temp-buffer
    (insert "1\n2\n3")
    (ide-companion--with-found-lines
      (should (equal (mapcar #'ide-companion--line-position '(2 4 3 1 3 2 5 1)) '(3 6 5 1 5 3 6 1))))))

(provide 'hunks-test)
;;; hunks-test.el ends here

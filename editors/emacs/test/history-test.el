;;; history-test.el --- What was decided earlier -*- lexical-binding: t; -*-

;;; Commentary:

;; The list of decisions, and what is done with one.

;;; Code:

(require 'fixture)
(require 'diff)

(defun ide-companion-test-with-decision (rewrite body)
  "Call BODY with the file a.txt in the list of one decision about it.
REWRITE is what the program answers about the file."
  (let* ((path (ide-companion-test-file "a.txt" "one\n2nd\nlast\n"))
         (decision (list :id "0123abcd" :agent "Qwen Code" :filePath path :label "a.txt" :at 0 :outcome "accepted"
                         :text "accepted with your edits")))
    (cl-letf (((symbol-function 'ide-companion--fetch)
               (lambda (method params)
                 (ide-companion-test-record method (if (hash-table-p params) nil params))
                 (pcase method
                   (:companion/history (list :decisions (vector decision)))
                   (:companion/readDecision (append decision '(:before "one\nsecond\n" :after "one\n2nd\n")))
                   (:companion/rewriteFile (append (list :filePath path) rewrite))))))
      (ide-companion-history)
      (funcall body path))))

(ide-companion-deftest "a list has what was decided, and shows one as a diff"
  (ide-companion-test-with-decision
   nil
   (lambda (_)
     (should (string-match-p "a\\.txt .* accepted with your edits .*Qwen Code" (buffer-string)))
     (ide-companion-test-keys "RET")
     (with-current-buffer "*ide-companion diff*"
       (should (derived-mode-p 'diff-mode))
       (should (string-match-p "\\`--- .*/a\\.txt\tbefore\n\\+\\+\\+ .*/a\\.txt\tafter\n@@ .*@@\n one\n-second\n\\+2nd\n\\'"
                               (buffer-string)))))))

(ide-companion-deftest "a change of white space alone is shown whatever the user has diff ignore"
  (let ((diff-switches "-uw") (diff-command "diff"))
    (ide-companion--show-diff '(:filePath "/app/a.txt") "\ta\n" "  a\n")
    (with-current-buffer "*ide-companion diff*"
      (should (string-search "-\ta\n+  a\n" (buffer-string))))))

(ide-companion-deftest "an accepted change is taken out of its file as an unsaved change of its buffer"
  (ide-companion-test-with-decision
   '(:content "one\nsecond\nlast\n")
   (lambda (path)
     (ide-companion-test-keys "u")
     (should (equal (ide-companion-test-sent :companion/rewriteFile) '((:id "0123abcd" :kind "undo"))))
     (should (equal (list buffer-file-name (buffer-string) (buffer-modified-p)) (list path "one\nsecond\nlast\n" t)))
     (undo-boundary) ; as after each command
     (let (last-command) (undo))
     (should (equal (buffer-string) "one\n2nd\nlast\n")))))

(ide-companion-deftest "your version comes into the file again, but not over unsaved edits"
  (ide-companion-test-with-decision
   '(:content "mine\n")
   (lambda (path)
     (with-current-buffer (find-file-noselect path) (insert "typed"))
     (should-error (ide-companion-history-reapply) :type 'user-error)
     (with-current-buffer (find-file-noselect path) (erase-buffer) (set-buffer-modified-p nil))
     (ide-companion-history-reapply)
     (should (equal (car (last (ide-companion-test-sent :companion/rewriteFile))) '(:id "0123abcd" :kind "reapply")))
     (should (equal (buffer-string) "mine\n")))))

(ide-companion-deftest "what cannot be undone says why"
  (ide-companion-test-with-decision
   '(:reason "The file has changed since in the same places: undo it by hand.")
   (lambda (_)
     (should (equal (should-error (ide-companion-history-undo) :type 'user-error)
                    '(user-error "The file has changed since in the same places: undo it by hand."))))))

(provide 'history-test)
;;; history-test.el ends here

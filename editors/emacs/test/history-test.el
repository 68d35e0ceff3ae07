;;; history-test.el --- What was decided earlier -*- lexical-binding: t; -*-

;;; Commentary:

;; The list of decisions, and what is done with one.

;;; Code:

(require 'fixture)
(require 'diff)

(defun ide-companion-test-with-decision (effect body)
  "Call BODY with the file a.txt in the list of one decision about it.
EFFECT is what the program answers about the file."
  (let* ((path (ide-companion-test-file "a.txt" "one\n2nd\nlast\n"))
         (row (list :id "0123abcd" :agent "Qwen Code" :filePath path :label "a.txt" :at 0 :text "accepted with your edits"
                    :actions [(:code "show" :name "shows") (:code "undo" :name "undoes") (:code "reapply" :name "puts in")])))
    (cl-letf (((symbol-function 'ide-companion--fetch)
               (lambda (method params)
                 (ide-companion-test-record method params)
                 (if (eq method :companion/list)
                     (list :title "The list" :none "There is nothing." :rows (vector row))
                   (if (plist-get effect :content)
                       (list :put (append (list :filePath path :what "it" :onlySaved t) effect))
                     effect)))))
      (ide-companion-history)
      (funcall body path))))

(ide-companion-deftest "a list has what was decided, and has no key for what its rows do not offer"
  (ide-companion-test-with-decision
   nil
   (lambda (_)
     (should (string-match-p "a\\.txt +Qwen Code .* accepted with your edits" (buffer-string)))
     (should-error (ide-companion--act-here "r") :type 'user-error))))

(ide-companion-deftest "an accepted change is taken out of its file as an unsaved change of its buffer"
  (ide-companion-test-with-decision
   '(:content "one\nsecond\nlast\n")
   (lambda (path)
     (ide-companion-test-keys "u")
     (should (equal (ide-companion-test-sent :companion/act) '((:list "history" :id "0123abcd" :action "undo"))))
     (should (equal (list buffer-file-name (buffer-string) (buffer-modified-p)) (list path "one\nsecond\nlast\n" t)))
     (undo-boundary) ; as after each command
     (let (last-command) (undo))
     (should (equal (buffer-string) "one\n2nd\nlast\n")))))

(ide-companion-deftest "your version comes into the file again, but not over unsaved edits"
  (ide-companion-test-with-decision
   '(:content "mine\n")
   (lambda (path)
     (with-current-buffer (find-file-noselect path) (insert "typed"))
     (should-error (ide-companion--act-here "p") :type 'user-error)
     (with-current-buffer (find-file-noselect path) (erase-buffer) (set-buffer-modified-p nil))
     (ide-companion-test-keys "p")
     (should (equal (plist-get (car (last (ide-companion-test-sent :companion/act))) :action) "reapply"))
     (should (equal (buffer-string) "mine\n")))))

(ide-companion-deftest "what cannot be undone says why"
  (ide-companion-test-with-decision
   '(:message "The file has changed since in the same places: undo it by hand.")
   (lambda (_)
     (ide-companion-test-keys "u")
     (should (equal (car ide-companion-test-said)
                    "The file has changed since in the same places: undo it by hand.")))))

(provide 'history-test)
;;; history-test.el ends here

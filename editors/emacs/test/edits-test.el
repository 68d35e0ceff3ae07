;;; edits-test.el --- Recovered edits -*- lexical-binding: t; -*-

;;; Commentary:

;; The list of them, and what is done with one.

;;; Code:

(require 'fixture)
(require 'diff)

(defun ide-companion-test-with-edits (content body)
  "Call BODY in the list of one text, CONTENT, for the file a.txt of the test."
  (let* ((path (expand-file-name "a.txt" ide-companion-test-folder))
         (known (list (list :id "0123abcd" :agent "Qwen Code" :filePath path :label "a.txt" :at 0 :text "It ended."
                            :actions [(:code "show" :name "compares") (:code "restore" :name "restores")
                                      (:code "discard" :name "discards")]))))
    (cl-letf (((symbol-function 'ide-companion--fetch)
               (lambda (method params)
                 (ide-companion-test-record method params)
                 (pcase (or (plist-get params :action) method)
                   (:companion/list (list :title "The list" :none "There is nothing." :rows (vconcat known)))
                   ("show" '(:message "It ended." :compare (:patch "-one\n+mine\n")))
                   ("restore" (list :put (list :filePath path :content content :what "your text" :onlySaved :json-false)))
                   ("discard" (if (not (plist-get params :sure)) '(:ask (:question "Discard it?" :yes "Discard"))
                                (setq known nil)
                                '(:message "Discarded: a.txt." :removed t)))))))
      (ide-companion-edits)
      (funcall body path))))

(defun ide-companion-test-acts ()
  "What was done with rows, as the program knows it."
  (mapcar (lambda (params) (plist-get params :action)) (ide-companion-test-sent :companion/act)))

(ide-companion-deftest "news are shown with the command that leads to their list, and what comes to be copied is copied"
  (ide-companion--news '(:severity "warning" :text "Your text is not in a.js: It ended." :list "edits"))
  (should (member "Your text is not in a.js: It ended.  M-x ide-companion-edits" ide-companion-test-said))
  (ide-companion--news '(:severity "info" :text "They are {place}: paste them into Toy" :copy "@main.js:2\nwhy?"))
  (should (equal (car kill-ring) "@main.js:2\nwhy?"))
  (should (equal (car ide-companion-test-said) "They are in the kill ring: paste them into Toy")))

(ide-companion-deftest "a list shows what can be done"
  (ide-companion-test-with-edits
   "mine\n"
   (lambda (_)
     (should (equal (buffer-name (window-buffer)) "*ide-companion edits*"))
     (should (string-match-p "a\\.txt +Qwen Code .* It ended\\." (buffer-string)))
     (should (equal (car ide-companion-test-said) "RET compares, r restores, D discards")))))

(ide-companion-deftest "recovered edits are compared with their file"
  (ide-companion-test-file "a.txt" "one\n")
  (ide-companion-test-with-edits
   "mine\n"
   (lambda (_)
     (ide-companion-test-keys "RET")
     (with-current-buffer "*ide-companion diff*"
       (should (derived-mode-p 'diff-mode))
       (should (string-search "-one\n+mine" (buffer-string)))))))

(ide-companion-deftest "recovered edits are restored into the buffer of their file, byte for byte once that is saved"
  (dolist (texts '(("one\ntwo\n" . "one\nmine\n") ("one\n" . "\ufeffone\r\nmine\r\n") (nil . "mine")))
    (when (car texts) (ide-companion-test-file "a.txt" (car texts)))
    (ide-companion-test-with-edits
     (cdr texts)
     (lambda (path)
       (ide-companion-test-keys "r")
       (should (equal (buffer-file-name (window-buffer)) path))
       (with-current-buffer (window-buffer)
         (should (buffer-modified-p))
         (let ((require-final-newline nil)) (save-buffer))
         (kill-buffer))
       (should (equal (with-temp-buffer
                        (let ((coding-system-for-read 'utf-8-unix)) (insert-file-contents path))
                        (buffer-string))
                      (cdr texts)))
       (delete-file path)))))

(ide-companion-deftest "recovered edits are the whole file, also in a buffer that shows a part of it"
  (with-current-buffer (find-file-noselect (ide-companion-test-file "a.txt" "one\ntwo\nthree\n"))
    (narrow-to-region 5 9))
  (ide-companion-test-with-edits
   "ONE\nTWO\nTHREE\n"
   (lambda (path)
     (ide-companion-test-keys "r")
     (should (equal (buffer-string) "ONE\nTWO\nTHREE\n"))
     (save-buffer)
     (should (equal (with-temp-buffer (insert-file-contents path) (buffer-string)) "ONE\nTWO\nTHREE\n"))
     (undo-boundary) ; as after each command
     (let (last-command) (undo))
     (should (equal (buffer-string) "one\ntwo\nthree\n")))))

(ide-companion-deftest "recovered edits are discarded when that is confirmed"
  (let ((answers '(nil t)))
    (cl-letf (((symbol-function 'yes-or-no-p) (lambda (_) (pop answers))))
      (ide-companion-test-with-edits
       "mine\n"
       (lambda (_)
         (ide-companion-test-keys "D")
         (should-not (member "Discarded: a.txt." ide-companion-test-said))
         (ide-companion-test-keys "D")
         (should (equal (seq-take ide-companion-test-said 2) '("Discarded: a.txt." "There is nothing."))))))))

(provide 'edits-test)
;;; edits-test.el ends here
